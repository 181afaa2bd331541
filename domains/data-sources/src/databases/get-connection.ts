import type { DatabaseConnection } from "@svc/contract";
import { open } from "@svc/platform/secrets";
import type { Author, DataSourcesContext } from "../context.ts";
import { findDatabaseRow } from "../queries/databases.ts";
import { recordAudit } from "../record-audit.ts";
import { secretContext } from "./connect.ts";
import { noSuchDatabase, refuseUnlessSettled } from "./managed-database.ts";
import { physicalNamesOf } from "./physical-names.ts";

/** The owner's way in. The reader's stays with us. */
export async function getConnection(
  { db, keyring }: Pick<DataSourcesContext, "db" | "keyring">,
  author: Author,
  name: string,
): Promise<DatabaseConnection> {
  const row = await findDatabaseRow(db, author.orgId, name);
  if (!row) throw noSuchDatabase();
  refuseUnlessSettled(row);
  if (!row.address) throw new Error("a database that is ready has no address");
  // First: no password is shown that is not known to have been shown.
  await recordAudit(db, author, "database.connection_shown", name);
  const { host, port, tls } = row.address;
  const { database, ownerRole: user } = physicalNamesOf(row.id);
  const password = open(keyring, row.owner_secret, secretContext(row.id, "owner"));
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return {
    // Names and password are made of what a URL takes as it is.
    connection_string: `postgres://${user}:${password}@${hostInUrl}:${port}/${database}${tls ? "?sslmode=require" : ""}`,
    host,
    port,
    database,
    user,
    password,
  };
}

import type { Id, ManagedDatabase } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { newId, uuidOf } from "@svc/platform/ids";
import type { Author, DataSourcesContext } from "../context.ts";
import type { DB } from "../db-types.ts";
import {
  countDatabases,
  type DatabaseRow,
  findDatabaseRow,
  insertDatabase,
  lockDatabasesOf,
} from "../queries/databases.ts";
import { insertSource } from "../queries/sources.ts";
import { recordAudit } from "../record-audit.ts";
import { reconcileDatabaseJob } from "./database-jobs.ts";
import { howToRestore, toManagedDatabase } from "./managed-database.ts";
import { makeSealedPasswords } from "./sealed-passwords.ts";

interface WantedDatabase {
  name: string;
  description?: string | undefined;
  data_source: boolean;
}

/** Says what is to be; a worker makes it, since only workers hold the server's credential. */
export async function createDatabase(
  context: DataSourcesContext,
  author: Author,
  wanted: WantedDatabase,
): Promise<ManagedDatabase> {
  const { db, keyring, jobs, databasesPerOrg, sourceChanged } = context;
  const { orgId } = author;
  const { name, data_source: enabled } = wanted;
  // One id for both, so that whoever has the one finds the other.
  const id = newId("ds");
  const databaseId = uuidOf(id);
  const { owner: ownerSecret, reader: readerSecret } = makeSealedPasswords(keyring, databaseId);

  const created = await db.transaction().execute(async (tx) => {
    await lockDatabasesOf(tx, orgId);
    const taken = await findDatabaseRow(tx, orgId, name);
    if (taken) throw nameTaken(taken);
    await refuseBeyond(tx, orgId, databasesPerOrg);
    const description = wanted.description || null;
    await insertDatabase(tx, { orgId, id: databaseId, name, description, ownerSecret, readerSecret });
    await insertSource(tx, { orgId, id, database: name, enabled });
    await recordAudit(tx, author, "database.created", name, { data_source: String(enabled) });
    await jobs.enqueue(tx, reconcileDatabaseJob, { org_id: orgId, database_id: databaseId });
    return findDatabaseRow(tx, orgId, name);
  });
  await sourceChanged(orgId);
  if (!created) throw new Error("a database that was just inserted is gone");
  return toManagedDatabase(created);
}

function nameTaken(taken: DatabaseRow): AppError {
  if (taken.status !== "deleting") {
    return new AppError("CONFLICT", `There is a database named ${taken.name} already. Choose another name.`);
  }
  return new AppError(
    "CONFLICT",
    `A database named ${taken.name} is being deleted. ${howToRestore(taken)} Its name is free once it is gone.`,
  );
}

async function refuseBeyond(tx: Db<DB>, orgId: Id<"org">, limit: number): Promise<void> {
  const { all, deleting } = await countDatabases(tx, orgId);
  if (all < limit) return;
  const waiting = deleting > 0 ? ` ${deleting} of them are being deleted, and count until they are gone.` : "";
  throw new AppError(
    "DATABASE_LIMIT",
    `The organization has ${all} databases and may have ${limit}.${waiting} Delete one, or ask the operator for more.`,
  );
}

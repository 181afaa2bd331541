import type { Id, ManagedDatabase } from "@svc/contract";
import type { DataSourcesContext } from "../context.ts";
import { listDatabaseRows } from "../queries/databases.ts";
import { toManagedDatabase } from "./managed-database.ts";

/** As many as the wire takes at once; organizations may have fewer. */
const MOST = 1_000;

export async function listDatabases(
  { db }: Pick<DataSourcesContext, "db">,
  orgId: Id<"org">,
): Promise<{ items: ManagedDatabase[] }> {
  return { items: (await listDatabaseRows(db, orgId, MOST)).map(toManagedDatabase) };
}

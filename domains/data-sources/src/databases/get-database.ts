import type { Id, ManagedDatabase } from "@svc/contract";
import type { DataSourcesContext } from "../context.ts";
import { findDatabaseRow } from "../queries/databases.ts";
import { noSuchDatabase, toManagedDatabase } from "./managed-database.ts";

export async function getDatabase(
  { db }: Pick<DataSourcesContext, "db">,
  orgId: Id<"org">,
  name: string,
): Promise<ManagedDatabase> {
  const found = await findDatabaseRow(db, orgId, name);
  if (!found) throw noSuchDatabase();
  return toManagedDatabase(found);
}

import type { Id, ManagedDatabase } from "@svc/contract";
import type { DataSourcesContext } from "../context.ts";
import { findDatabaseRow, lockDatabaseRow, updateDatabaseRow } from "../queries/databases.ts";
import { setSourceEnabled } from "../queries/sources.ts";
import { noSuchDatabase, refuseWhileDeleting, toManagedDatabase } from "./managed-database.ts";

interface DatabaseChanges {
  /** Empty: none any more. */
  description?: string | undefined;
  /** Off: can neither be asked nor stays exposed. */
  data_source?: boolean | undefined;
}

export async function updateDatabase(
  { db, sourceChanged }: Pick<DataSourcesContext, "db" | "sourceChanged">,
  orgId: Id<"org">,
  name: string,
  { description, data_source }: DatabaseChanges,
): Promise<ManagedDatabase> {
  const changed = await db.transaction().execute(async (tx) => {
    const row = await lockDatabaseRow(tx, orgId, { name });
    if (!row) throw noSuchDatabase();
    refuseWhileDeleting(row);
    await updateDatabaseRow(tx, row, description === undefined ? {} : { description: description || null });
    if (data_source !== undefined) await setSourceEnabled(tx, orgId, name, data_source);
    return findDatabaseRow(tx, orgId, name);
  });
  await sourceChanged(orgId);
  if (!changed) throw noSuchDatabase();
  return toManagedDatabase(changed);
}

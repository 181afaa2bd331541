import type { ManagedDatabase } from "@svc/contract";
import type { Author, DataSourcesContext } from "../context.ts";
import { findDatabaseRow, lockDatabaseRow, updateDatabaseRow } from "../queries/databases.ts";
import { setSourceEnabled } from "../queries/sources.ts";
import { recordAudit } from "../record-audit.ts";
import { noSuchDatabase, refuseWhileDeleting, toManagedDatabase } from "./managed-database.ts";

interface DatabaseChanges {
  /** Empty: none any more. */
  description?: string | undefined;
  /** Off: can neither be asked nor stays exposed. */
  data_source?: boolean | undefined;
}

export async function updateDatabase(
  { db, sourceChanged }: Pick<DataSourcesContext, "db" | "sourceChanged">,
  author: Author,
  name: string,
  { description, data_source }: DatabaseChanges,
): Promise<ManagedDatabase> {
  const { orgId } = author;
  const changed = await db.transaction().execute(async (tx) => {
    const row = await lockDatabaseRow(tx, orgId, { name });
    if (!row) throw noSuchDatabase();
    refuseWhileDeleting(row);
    await updateDatabaseRow(tx, row, description === undefined ? {} : { description: description || null });
    if (data_source !== undefined) await setSourceEnabled(tx, orgId, name, data_source);
    if (description !== undefined && description !== (row.description ?? "")) {
      await recordAudit(tx, author, "database.described", name, { description });
    }
    if (data_source !== undefined && data_source !== row.data_source) {
      await recordAudit(tx, author, data_source ? "database.switched_on" : "database.switched_off", name);
    }
    return findDatabaseRow(tx, orgId, name);
  });
  await sourceChanged(orgId);
  if (!changed) throw noSuchDatabase();
  return toManagedDatabase(changed);
}

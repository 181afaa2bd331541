import type { ManagedDatabase } from "@svc/contract";
import type { Author, DataSourcesContext } from "../context.ts";
import { findDatabaseRow, lockDatabaseRow, markDeleting } from "../queries/databases.ts";
import { setSourceEnabled } from "../queries/sources.ts";
import { recordAudit } from "../record-audit.ts";
import { reconcileDatabaseJob } from "./database-jobs.ts";
import { noSuchDatabase, toManagedDatabase } from "./managed-database.ts";

/**
 * Closes it at once and removes it when the grace period is over. Asked for again, it is the same deletion, with the
 * same end.
 */
export async function deleteDatabase(
  { db, jobs, deletionGraceDays, sourceChanged }: DataSourcesContext,
  author: Author,
  name: string,
): Promise<ManagedDatabase> {
  const { orgId } = author;
  const deleted = await db.transaction().execute(async (tx) => {
    const row = await lockDatabaseRow(tx, orgId, { name });
    if (!row) throw noSuchDatabase();
    if (row.status === "deleting") return row;
    await markDeleting(tx, row, deletionGraceDays);
    await setSourceEnabled(tx, orgId, name, false);
    await recordAudit(tx, author, "database.deleted", name);
    const data = { org_id: orgId, database_id: row.id };
    await jobs.enqueue(tx, reconcileDatabaseJob, data);
    const marked = await findDatabaseRow(tx, orgId, name);
    // Only so that it goes on time; the sweep finds it as well.
    if (marked?.delete_after) await jobs.enqueue(tx, reconcileDatabaseJob, data, { startAfter: marked.delete_after });
    return marked;
  });
  await sourceChanged(orgId);
  if (!deleted) throw noSuchDatabase();
  return toManagedDatabase(deleted);
}

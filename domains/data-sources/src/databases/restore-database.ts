import type { ManagedDatabase } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { Author, DataSourcesContext } from "../context.ts";
import { findDatabaseRow, isPastRestoring, lockDatabaseRow, updateDatabaseRow } from "../queries/databases.ts";
import { recordAudit } from "../record-audit.ts";
import { reconcileDatabaseJob } from "./database-jobs.ts";
import { noSuchDatabase, toManagedDatabase } from "./managed-database.ts";

/**
 * With its data and passwords. As a data source it stays off: what was exposed before the deletion must not be so again
 * without anyone saying it.
 */
export async function restoreDatabase(
  { db, jobs, sourceChanged }: Pick<DataSourcesContext, "db" | "jobs" | "sourceChanged">,
  author: Author,
  name: string,
): Promise<ManagedDatabase> {
  const { orgId } = author;
  const restored = await db.transaction().execute(async (tx) => {
    const row = await lockDatabaseRow(tx, orgId, { name });
    if (!row) throw noSuchDatabase();
    if (row.status !== "deleting") {
      throw new AppError("CONFLICT", `The database ${name} is not being deleted; there is nothing to restore.`);
    }
    if (await isPastRestoring(tx, row)) {
      throw new AppError(
        "CONFLICT",
        `The time to restore the database ${name} is over and its data is being removed. Create a new one in a minute.`,
      );
    }
    await updateDatabaseRow(tx, row, { status: "creating", delete_after: null });
    await recordAudit(tx, author, "database.restored", name);
    await jobs.enqueue(tx, reconcileDatabaseJob, { org_id: orgId, database_id: row.id });
    return findDatabaseRow(tx, orgId, name);
  });
  await sourceChanged(orgId);
  if (!restored) throw noSuchDatabase();
  return toManagedDatabase(restored);
}

import type { ManagedDatabase } from "@svc/contract";
import type { Author, DataSourcesContext } from "../context.ts";
import { findDatabaseRow, lockDatabaseRow, updateDatabaseRow } from "../queries/databases.ts";
import { recordAudit } from "../record-audit.ts";
import { reconcileDatabaseJob } from "./database-jobs.ts";
import { noSuchDatabase, refuseUnlessSettled, toManagedDatabase } from "./managed-database.ts";
import { makeSealedPasswords } from "./sealed-passwords.ts";

/** New passwords for owner and reader. The old ones end, and whoever is connected with them, within seconds. */
export async function rotateCredentials(
  { db, keyring, jobs, sourceChanged }: DataSourcesContext,
  author: Author,
  name: string,
): Promise<ManagedDatabase> {
  const { orgId } = author;
  const rotating = await db.transaction().execute(async (tx) => {
    const row = await lockDatabaseRow(tx, orgId, { name });
    if (!row) throw noSuchDatabase();
    refuseUnlessSettled(row);
    const next = makeSealedPasswords(keyring, row.id);
    // Beside the old ones until the server has them: whichever step fails, the next attempt knows what to set.
    await updateDatabaseRow(tx, row, { next_owner_secret: next.owner, next_reader_secret: next.reader });
    await recordAudit(tx, author, "database.passwords_changed", name);
    await jobs.enqueue(tx, reconcileDatabaseJob, { org_id: orgId, database_id: row.id });
    return findDatabaseRow(tx, orgId, name);
  });
  await sourceChanged(orgId);
  if (!rotating) throw noSuchDatabase();
  return toManagedDatabase(rotating);
}

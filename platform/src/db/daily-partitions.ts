import { sql } from "kysely";
import type { Db } from "./open-database.ts";

/** Makes the partitions of the coming days and drops those past their retention, for every registered table. */
export async function maintainDailyPartitions(db: Db, daysAhead = 7): Promise<{ created: number; dropped: number }> {
  const { rows } = await sql<{ created: number; dropped: number }>`
    select created, dropped from platform.maintain_daily_partitions(${daysAhead})`.execute(db);
  return rows[0] ?? { created: 0, dropped: 0 };
}

/** For a row that comes later than its day's retention, or before its day's partition was made. */
export async function ensureDailyPartition(db: Db, schema: string, table: string, day: Date): Promise<void> {
  await sql`select platform.ensure_daily_partition(${schema}, ${table}, ${day.toISOString().slice(0, 10)}::date)`.execute(
    db,
  );
}

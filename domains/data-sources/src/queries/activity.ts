import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { type Selectable, sql } from "kysely";
import type { DataSourcesActivity, DB } from "../db-types.ts";

/** A row as JSON takes it: bytes as `\x` and hex. */
export type NewActivity = Omit<DataSourcesActivity, "question_digest" | "answer_digest"> & {
  question_digest: string;
  answer_digest: string | null;
};

/** Any number of rows in one statement with one parameter. */
export async function insertActivity(db: Db<DB>, rows: NewActivity[]): Promise<void> {
  await sql`
    insert into data_sources.activity
    select * from json_populate_recordset(null::data_sources.activity, ${JSON.stringify(rows)}::json)`.execute(db);
}

export interface ActivityFilters {
  type: string;
  source?: string | undefined;
  sourceId?: string | undefined;
  userId?: Id<"usr"> | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface ActivityPage extends ActivityFilters {
  limit: number;
  /** Only what came before this one. */
  before?: Id<"act"> | undefined;
}

function activityOf(db: Db<DB>, orgId: Id<"org">, filters: ActivityFilters) {
  let query = db
    .selectFrom("data_sources.activity")
    .where("org_id", "=", uuidOf(orgId))
    .where("type", "=", filters.type);
  if (filters.source) query = query.where("source", "=", filters.source);
  if (filters.sourceId) query = query.where("source_id", "=", filters.sourceId);
  if (filters.userId) query = query.where("user_id", "=", uuidOf(filters.userId));
  // As ids, so that days outside are not even looked at.
  if (filters.from) query = query.where("id", ">=", sql<string>`platform.uuid_at(${filters.from})`);
  if (filters.to) query = query.where("id", "<", sql<string>`platform.uuid_at(${filters.to})`);
  return query;
}

/** Newest first: ids are in the order of time. */
export async function listActivityRows(
  db: Db<DB>,
  orgId: Id<"org">,
  { limit, before, ...filters }: ActivityPage,
): Promise<Selectable<DataSourcesActivity>[]> {
  const query = activityOf(db, orgId, filters).selectAll().orderBy("id", "desc").limit(limit);
  return (before ? query.where("id", "<", uuidOf(before)) : query).execute();
}

export interface CountedActivity {
  /** Which of the moments was the last before. */
  bucket: number;
  ok: number;
  failed: number;
}

/** How much there was from each of these moments, the earliest first, up to the next; nothing of empty ones. */
export async function countActivityRows(
  db: Db<DB>,
  orgId: Id<"org">,
  filters: ActivityFilters,
  moments: Date[],
): Promise<CountedActivity[]> {
  // Ids are compared with ids: to read the time out of each takes three times as long.
  const edges = sql`array(select platform.uuid_at(moment) from unnest(${moments}::timestamptz[]) as moment)`;
  return activityOf(db, orgId, filters)
    .select([
      sql<number>`width_bucket(id, ${edges}) - 1`.as("bucket"),
      sql<number>`(count(*) filter (where outcome = 'ok'))::int`.as("ok"),
      sql<number>`(count(*) filter (where outcome <> 'ok'))::int`.as("failed"),
    ])
    .groupBy("bucket")
    .execute();
}

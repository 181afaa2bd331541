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

export interface ActivityPage {
  limit: number;
  type: string;
  /** Only what came before this one. */
  before?: Id<"act"> | undefined;
  source?: string | undefined;
  sourceId?: string | undefined;
  userId?: Id<"usr"> | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Newest first: ids are in the order of time. */
export async function listActivityRows(
  db: Db<DB>,
  orgId: Id<"org">,
  page: ActivityPage,
): Promise<Selectable<DataSourcesActivity>[]> {
  let query = db
    .selectFrom("data_sources.activity")
    .selectAll()
    .where("org_id", "=", uuidOf(orgId))
    .where("type", "=", page.type)
    .orderBy("id", "desc")
    .limit(page.limit);
  if (page.before) query = query.where("id", "<", uuidOf(page.before));
  if (page.source) query = query.where("source", "=", page.source);
  if (page.sourceId) query = query.where("source_id", "=", page.sourceId);
  if (page.userId) query = query.where("user_id", "=", uuidOf(page.userId));
  // As ids, so that days outside are not even looked at.
  if (page.from) query = query.where("id", ">=", sql<string>`platform.uuid_at(${page.from})`);
  if (page.to) query = query.where("id", "<", sql<string>`platform.uuid_at(${page.to})`);
  return query.execute();
}

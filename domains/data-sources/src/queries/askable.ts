import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";
import { type SourceRow, sourcesOf, sourceWithId } from "./sources.ts";

/** A source, and what its organization may ask where that is not the operator's default. */
export interface AskableRow extends SourceRow {
  per_minute: number | null;
  per_day: number | null;
}

export async function findAskableRow(db: Db<DB>, orgId: Id<"org">, id: string): Promise<AskableRow | undefined> {
  const found = sourceWithId(sourcesOf(db, orgId), id);
  if (!found) return undefined;
  const row = await found
    .leftJoin("data_sources.question_limits as limit", "limit.org_id", "source.org_id")
    .select(["limit.per_minute", "limit.per_day"])
    .executeTakeFirst();
  return row as AskableRow | undefined;
}

export async function listExposedRows(db: Db<DB>, orgId: Id<"org">, limit: number): Promise<SourceRow[]> {
  const rows = await sourcesOf(db, orgId)
    .where("source.exposed", "=", true)
    .where("database.status", "=", "ready")
    .orderBy("source.database_name")
    .limit(limit)
    .execute();
  return rows as unknown as SourceRow[];
}

/** Counts and decides under this lock, so that two at once cannot both be the hundredth. */
export async function countExposedUnderLock(tx: Db<DB>, orgId: Id<"org">): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`data_sources.exposure/${orgId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom("data_sources.sources")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("org_id", "=", uuidOf(orgId))
    .where("exposed", "=", true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

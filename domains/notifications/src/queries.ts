import type { AnyDb } from "@svc/platform/db";
import { takeEvents } from "@svc/platform/outbox";
import { type RawBuilder, sql } from "kysely";
import { daysOfEvents } from "./event-days.ts";

const COLUMNS = sql`org_id, id, type, subject, data, occurred_at`;

/**
 * What to do about an event that is there already. Skipping costs twice the time of failing, and repeats come only
 * after a crash, so callers first try `fail` and then, if Postgres complains, `skip`.
 */
export type OnRepeat = "fail" | "skip";

function onRepeat(repeats: OnRepeat): RawBuilder<unknown> {
  return repeats === "skip" ? sql`on conflict do nothing` : sql``;
}

/** Rows as an outbox holds them, in one JSON array. Answers how many were not there yet. */
export async function insertEvents(db: AnyDb, rows: string, repeats: OnRepeat): Promise<number> {
  const result = await sql`
    insert into notifications.events (${COLUMNS})
    select ${COLUMNS}
      from json_to_recordset(${rows}::json)
        as event(org_id uuid, id uuid, type text, subject jsonb, data jsonb, occurred_at timestamptz)
    ${onRepeat(repeats)}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** From the outbox of another schema of this database, in one statement. Answers how many left the outbox. */
export async function moveEvents(db: AnyDb, schema: string, size: number, repeats: OnRepeat): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ${takeEvents(schema, size)},
    recorded as (
      insert into notifications.events (${COLUMNS}) select ${COLUMNS} from taken ${onRepeat(repeats)}
    )
    select count(*)::integer as count from taken`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Days of the events that `moveEvents` would take next. */
export async function listWaitingDays(db: AnyDb, schema: string, size: number): Promise<Date[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.id(schema, "outbox")} where refused_reason is null order by id limit ${size}`.execute(db);
  return daysOfEvents(rows);
}

/** Events whose id is dated outside: they stay in the outbox, out of the way, for a person. Answers how many. */
export async function setAsideOutside(
  db: AnyDb,
  schema: string,
  oldest: Date,
  newest: Date,
  reason: string,
): Promise<number> {
  const result = await sql`
    update ${sql.id(schema, "outbox")} set refused_reason = ${reason.slice(0, 500)}
     where refused_reason is null
       and (id < platform.uuid_at(${oldest}) or id >= platform.uuid_at(${newest}))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

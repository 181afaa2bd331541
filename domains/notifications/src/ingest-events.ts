import type { Event } from "@svc/contract";
import { type Db, ensureDailyPartition } from "@svc/platform/db";
import { idFromUuid, timeOf, uuidOf } from "@svc/platform/ids";
import type { EventBatch } from "@svc/platform/outbox";
import { insertEvents } from "./queries.ts";

/** Check violation: what Postgres says when no partition takes a row. */
const NO_PARTITION = "23514";

/** Takes over rows of an outbox, each once however often it is handed over. */
export async function ingestRows(db: Db, { rows }: EventBatch): Promise<number> {
  try {
    return await insertEvents(db, rows);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === NO_PARTITION)) throw error;
    // An event older than the retention, or of a day that upkeep has not reached: its day is made now.
    for (const day of daysOf(rows)) await ensureDailyPartition(db, "notifications", "events", day);
    return insertEvents(db, rows);
  }
}

/** The same for events that came over the wire. */
export async function ingestEvents(db: Db, events: Event[]): Promise<number> {
  const rows = events.map((event) => ({ ...event, id: uuidOf(event.id), org_id: uuidOf(event.org_id) }));
  return ingestRows(db, { count: rows.length, rows: JSON.stringify(rows) });
}

function daysOf(rows: string): Date[] {
  const events = JSON.parse(rows) as { id: string }[];
  const days = new Set(events.map(({ id }) => timeOf(idFromUuid("evt", id)).toISOString().slice(0, 10)));
  return [...days].map((day) => new Date(day));
}

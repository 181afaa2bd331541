import type { Event } from "@svc/contract";
import { type AnyDb, ensureDailyPartition, sqlStateOf } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { type EventBatch, EventsRefused, type Ship } from "@svc/platform/outbox";
import { daysOfEvents } from "./event-days.ts";
import { insertEvents, listWaitingDays, moveEvents, type OnRepeat, setAsideOutside } from "./queries.ts";

const OLDEST_DAYS = -1_000;
const NEWEST_DAYS = 100;

const UNIQUE_VIOLATION = "23505";
/** What Postgres says when no partition takes a row. */
const CHECK_VIOLATION = "23514";

/** Takes over rows of an outbox, each once however often it is handed over. Answers how many were new. */
export async function ingestRows(db: AnyDb, { rows }: EventBatch): Promise<number> {
  return recordOnce(
    db,
    (repeats) => insertEvents(db, rows, repeats),
    async () => daysOfEvents(JSON.parse(rows) as { id: string }[]),
  );
}

/** The same for events that came over the wire. */
export async function ingestEvents(db: AnyDb, events: Event[]): Promise<number> {
  const rows = events.map((event) => ({ ...event, id: uuidOf(event.id), org_id: uuidOf(event.org_id) }));
  return ingestRows(db, { count: rows.length, rows: JSON.stringify(rows) });
}

/** Takes over from an outbox of the same database: gone there and recorded here in one statement, or neither. */
export function moveFromOutbox(db: AnyDb, schema: string): Ship {
  return async (size) => {
    try {
      return await recordOnce(
        db,
        (repeats) => moveEvents(db, schema, size, repeats),
        () => listWaitingDays(db, schema, size),
      );
    } catch (error) {
      if (!(error instanceof EventsRefused)) throw error;
      return setAsideOutside(db, schema, dayFromNow(OLDEST_DAYS), dayFromNow(NEWEST_DAYS), error.message);
    }
  };
}

async function recordOnce(
  db: AnyDb,
  record: (repeats: OnRepeat) => Promise<number>,
  listDays: () => Promise<Date[]>,
): Promise<number> {
  try {
    return await record("fail");
  } catch (error) {
    const code = sqlStateOf(error);
    if (code !== UNIQUE_VIOLATION && code !== CHECK_VIOLATION) throw error;
    // An event older than the retention, or of a day that upkeep has not reached: its day is made now.
    for (const day of await listDays()) {
      refuseImpossibleDay(day);
      await ensureDailyPartition(db, "notifications", "events", day);
    }
    return record("skip");
  }
}

/** A clock far off would make a partition for every day it names. */
function refuseImpossibleDay(day: Date): void {
  const days = (day.getTime() - Date.now()) / 86_400_000;
  if (days > OLDEST_DAYS && days < NEWEST_DAYS) return;
  throw new EventsRefused(`an event is dated ${day.toISOString().slice(0, 10)}, too far from today`);
}

function dayFromNow(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}

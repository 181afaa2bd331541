import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { AnyDb } from "../db/index.ts";
import { counter, type Logger, observeGauge } from "../telemetry/index.ts";

/**
 * Moves up to `size` waiting events to where they are taken in, and answers how many left the queue. Throws
 * EventsRefused where one of several can never be taken; asked for that one alone, it sets it aside.
 */
export type Ship = (size: number) => Promise<number>;

export class EventsRefused extends Error {
  override name = "EventsRefused";
}

interface ShipperOptions {
  db: AnyDb;
  schema: string;
  ship: Ship;
  log: Logger;
  batchSize?: number;
  /** Batches under way at a time. */
  lanes?: number;
}

export interface Shipper {
  /** Ends after the batches under way. */
  stop(): Promise<void>;
}

const IDLE_FIRST_MS = 20;
const IDLE_LONGEST_MS = 1_000;
const TROUBLE_LONGEST_MS = 10_000;

const shipped = counter("svc_outbox_shipped_total", "Events handed over by schema.");

export function startShipper(options: ShipperOptions): Shipper {
  const { db, schema, lanes = 2 } = options;
  const stopping = new AbortController();
  observeOutbox(db, schema);
  const running = Array.from({ length: lanes }, () => runLane(options, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function runLane({ schema, ship, log, batchSize = 2_000 }: ShipperOptions, stopping: AbortSignal): Promise<void> {
  let size = batchSize;
  let pause = 0;
  while (!stopping.aborted) {
    try {
      const count = await ship(size);
      shipped.add({ schema }, count);
      pause = nextPause(pause, count, size);
      if (count > 0) size = Math.min(size * 2, batchSize);
    } catch (error) {
      if (error instanceof EventsRefused && size > 1) {
        // Halving finds the one event that cannot be taken.
        size = Math.ceil(size / 2);
        continue;
      }
      pause = Math.min(Math.max(pause * 2, 100), TROUBLE_LONGEST_MS);
      log.warn({ err: error, schema, retry_in_ms: pause }, "events wait in the outbox");
    }
    if (pause > 0) await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** A full batch means there is more. A part of one means little comes; none, ever less. */
function nextPause(pause: number, count: number, size: number): number {
  if (count === size) return 0;
  if (count > 0) return IDLE_FIRST_MS;
  return Math.min(Math.max(pause * 2, IDLE_FIRST_MS), IDLE_LONGEST_MS);
}

function observeOutbox(db: AnyDb, schema: string): void {
  const read = async () => {
    const { rows } = await sql<{ waiting: number; refused: number; oldest: number }>`
      select count(*) filter (where refused_reason is null)::integer as waiting,
             count(refused_reason)::integer as refused,
             coalesce(extract(epoch from now() - min(occurred_at) filter (where refused_reason is null)), 0)::float as oldest
        from ${sql.id(schema, "outbox")}`.execute(db);
    return rows[0];
  };
  observeGauge("svc_outbox_events", "Events in the outbox by schema and state.", async () => {
    const seen = await read().catch(() => undefined);
    if (!seen) return [];
    return [
      { value: seen.waiting, labels: { schema, state: "waiting" } },
      { value: seen.refused, labels: { schema, state: "refused" } },
    ];
  });
  observeGauge("svc_outbox_oldest_seconds", "Age of the oldest waiting event by schema.", async () => {
    const seen = await read().catch(() => undefined);
    return seen ? [{ value: seen.oldest, labels: { schema } }] : [];
  });
}

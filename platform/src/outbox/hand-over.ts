import { type RawBuilder, sql } from "kysely";
import type { AnyDb } from "../db/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { EventsRefused, type Ship } from "./ship-events.ts";

/** Rows of an outbox as one JSON array. They pass through this process as text, read only where they must be. */
export interface EventBatch {
  count: number;
  rows: string;
}

/** Takes events over. Must be idempotent by event id, and throw EventsRefused where a batch can never be taken. */
export type Ingest = (batch: EventBatch) => Promise<void>;

/**
 * Ships to an ingest that is not in the outbox's database. The rows stay locked and undeleted until it has
 * answered: if this process dies in between, they are shipped again and the ingest knows them already. This is
 * the one place where a network call is made inside a transaction.
 */
export function handOver(db: AnyDb, schema: string, ingest: Ingest, log: Logger): Ship {
  return (size) =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<EventBatch>`
        with ${takeEvents(schema, size)}
        select count(*)::integer as count, coalesce(json_agg(taken), '[]')::text as rows from taken
      `.execute(tx);
      const batch = rows[0];
      if (!batch || batch.count === 0) return 0;
      try {
        await ingest(batch);
      } catch (error) {
        if (!(error instanceof EventsRefused) || batch.count > 1) throw error;
        await setAside(tx, schema, batch, error.message);
        log.error({ schema, reason: error.message, event: batch.rows }, "an event was refused and set aside");
      }
      return batch.count;
    });
}

/** Back in the outbox, out of the way: the others go on, and this one waits for a person. */
async function setAside(tx: AnyDb, schema: string, { rows }: EventBatch, reason: string): Promise<void> {
  await sql`
    insert into ${sql.id(schema, "outbox")} (id, org_id, type, subject, data, occurred_at, refused_reason)
    select id, org_id, type, subject, data, occurred_at, ${reason.slice(0, 500)}
      from json_to_recordset(${rows}::json)
        as event(id uuid, org_id uuid, type text, subject jsonb, data jsonb, occurred_at timestamptz)`.execute(tx);
}

/**
 * Two common table expressions, of which `taken` holds the oldest waiting events, deleted. Several shippers never
 * take the same ones. By ctid, because a second look-up by key took a third of the time.
 */
export function takeEvents(schema: string, size: number): RawBuilder<unknown> {
  const outbox = sql.id(schema, "outbox");
  return sql`
    picked as (
      select ctid from ${outbox} where refused_reason is null order by id limit ${size} for update skip locked
    ),
    taken as (
      delete from ${outbox} where ctid = any(array(select ctid from picked))
      returning id, org_id, type, subject, data, occurred_at
    )`;
}

import type { Db } from "@svc/platform/db";
import { sql } from "kysely";

/** Rows as an outbox holds them, in one JSON array. Answers how many were not there yet. */
export async function insertEvents(db: Db, rows: string): Promise<number> {
  const result = await sql`
    insert into notifications.events (org_id, id, type, subject, data, occurred_at)
    select org_id, id, type, subject, data, occurred_at
      from json_to_recordset(${rows}::json)
        as event(org_id uuid, id uuid, type text, subject jsonb, data jsonb, occurred_at timestamptz)
    on conflict do nothing`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

import type { Activity, Caller } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid, timeOf } from "@svc/platform/ids";
import { onlyVisibleTo } from "./activity-visibility.ts";
import type { DB } from "./db-types.ts";
import { type ActivityPage, listActivityRows } from "./queries/activity.ts";

export async function listActivity(db: Db<DB>, caller: Caller, wanted: ActivityPage): Promise<Activity[]> {
  const rows = await listActivityRows(db, caller.org.id, onlyVisibleTo(caller, wanted));
  return rows.map((row) => {
    const id = idFromUuid("act", row.id);
    return {
      id,
      type: row.type as Activity["type"],
      source_id: row.source_id,
      source: row.source as Activity["source"],
      user: row.user_id ? { id: idFromUuid("usr", row.user_id), email: row.user_email ?? "" } : null,
      caller_kind: row.caller_kind as Activity["caller_kind"],
      client_id: row.client_id,
      at: timeOf(id).toISOString(),
      duration_ms: row.duration_ms,
      question_bytes: row.question_bytes,
      answer_bytes: row.answer_bytes,
      hits: row.hits,
      question_digest: row.question_digest.toString("hex"),
      answer_digest: row.answer_digest?.toString("hex") ?? null,
      outcome: row.outcome as Activity["outcome"],
    };
  });
}

import { type Activity, type Caller, isAtLeast } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { idFromUuid, timeOf } from "@svc/platform/ids";
import type { DB } from "./db-types.ts";
import { type ActivityPage, listActivityRows } from "./queries/activity.ts";

/** Whoever may configure sources sees all; others see what they asked themselves. */
export async function listActivity(db: Db<DB>, caller: Caller, wanted: ActivityPage): Promise<Activity[]> {
  const page = isAtLeast(caller.role, "developer") ? wanted : { ...wanted, userId: ownId(caller, wanted) };
  const rows = await listActivityRows(db, caller.org.id, page);
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

function ownId({ user }: Caller, { userId }: ActivityPage): NonNullable<Caller["user"]>["id"] {
  if (user && (userId === undefined || userId === user.id)) return user.id;
  const hint = user ? "Leave user_id out to see what you asked." : "This token is of no person.";
  throw new AppError("FORBIDDEN", `What others asked is shown to developers and above. ${hint}`);
}

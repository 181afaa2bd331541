import type { Id } from "@svc/contract";
import { announceRevocation } from "../announce-revocation.ts";
import type { IdentityContext, Origin } from "../context.ts";
import { deleteSession, deleteSessionsOf } from "./session-queries.ts";
import { auditSession, type Person } from "./start-session.ts";

/** Its user tokens end with it, at once. */
export async function endSession(
  context: IdentityContext,
  session: Person & { sessionId: Id<"ses"> },
  origin: Origin,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    if (!(await deleteSession(tx, session.sessionId))) return;
    await auditSession(tx, session, "session.ended", session.sessionId, origin);
  });
  await announceRevocation(context);
}

/** In every browser. API tokens are not sessions and go on. */
export async function endSessionsEverywhere(context: IdentityContext, person: Person, origin: Origin): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const ended = await deleteSessionsOf(tx, person.userId);
    const details = { sessions: String(ended) };
    await auditSession(tx, person, "session.ended_everywhere", person.userId, origin, details);
  });
  await announceRevocation(context);
}

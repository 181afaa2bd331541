import { randomBytes } from "node:crypto";
import type { Id } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { idFromUuid, uuidOf } from "@svc/platform/ids";
import type { IdentityContext, Origin } from "../context.ts";
import { endSession } from "./end-session.ts";
import { type LiveSession, toLiveSession } from "./find-session.ts";
import {
  findExchangeCode,
  findLiveSession,
  insertExchangeCode,
  lockSession,
  markExchangeCodeUsed,
} from "./session-queries.ts";

const CODE_SECONDS = 60;

/** What a redirect to another origin carries in place of a token: worth nothing once it was used, or after a minute. */
export async function issueExchangeCode(
  { db, keys }: IdentityContext,
  sessionId: Id<"ses">,
  appOrigin: string,
): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await insertExchangeCode(db, {
    digest: keys.digest("exchange code", code),
    session_id: uuidOf(sessionId),
    origin: appOrigin,
    expires_at: new Date(Date.now() + CODE_SECONDS * 1_000),
  });
  return code;
}

/**
 * The session that a code stands for. A code that comes twice has been seen by somebody else, and nobody can tell
 * who was first: the session ends.
 */
export async function exchangeCode(
  context: IdentityContext,
  code: string,
  /** The header `Origin`, which browsers send and servers do not. */
  calledFrom: string | undefined,
  origin: Origin,
): Promise<LiveSession> {
  const digest = context.keys.digest("exchange code", code);
  const found = await context.db.transaction().execute(async (tx) => {
    const first = await findExchangeCode(tx, digest);
    if (!first) return undefined;
    const sessionId = idFromUuid("ses", first.session_id);
    // Whoever ends a session locks it before its codes; the same order here, or the two could wait for each other.
    await lockSession(tx, sessionId);
    const row = await findExchangeCode(tx, digest);
    const session = row && (await findLiveSession(tx, { id: sessionId }));
    if (!session) return undefined;
    if (calledFrom !== undefined && calledFrom !== row.origin) {
      throw new AppError("FORBIDDEN", "This code was made for another app. Start at the sign-in page of yours.");
    }
    if (!row.is_used && !row.is_expired) await markExchangeCodeUsed(tx, digest);
    return { row, session };
  });
  if (!found) throw refused();
  const session = toLiveSession(found.session);
  if (found.row.is_used) await endSession(context, session, origin);
  if (found.row.is_used || found.row.is_expired) throw refused();
  return session;
}

function refused(): AppError {
  return new AppError("UNAUTHENTICATED", "The code was used, has expired or is unknown. Sign in again.");
}

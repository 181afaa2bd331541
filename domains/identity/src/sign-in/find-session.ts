import type { Id } from "@svc/contract";
import { idFromUuid } from "@svc/platform/ids";
import type { IdentityContext } from "../context.ts";
import { readUserToken } from "../user-token.ts";
import { findLiveSession, type SessionRow, slideSession } from "./session-queries.ts";
import { sessionEnd } from "./start-session.ts";

/** A session that is used is extended, by a write at most this often. */
const SLIDE_EVERY_MS = 3_600_000;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export interface LiveSession {
  sessionId: Id<"ses">;
  userId: Id<"usr">;
  email: string;
  name: string | null;
  isVouched: boolean;
  /** True when it was extended just now, and the cookie is to be extended with it. */
  wasExtended: boolean;
}

export async function findSession({ db, keys }: IdentityContext, secret: string): Promise<LiveSession | undefined> {
  if (!SECRET.test(secret)) return undefined;
  const row = await findLiveSession(db, { digest: keys.digest("session", secret) });
  if (!row) return undefined;
  const wasExtended = row.last_used_at.getTime() < Date.now() - SLIDE_EVERY_MS;
  if (wasExtended) await slideSession(db, idFromUuid("ses", row.id), sessionEnd());
  return toLiveSession(row, wasExtended);
}

/** The session that a user token was made in, if both live. */
export async function findSessionOfToken(
  { db, keys }: IdentityContext,
  token: string,
): Promise<LiveSession | undefined> {
  const claims = await readUserToken(keys, token);
  const row = claims && (await findLiveSession(db, { id: claims.sessionId }));
  return row && toLiveSession(row);
}

export function toLiveSession(row: SessionRow, wasExtended = false): LiveSession {
  return {
    sessionId: idFromUuid("ses", row.id),
    userId: idFromUuid("usr", row.user_id),
    email: row.email,
    name: row.name,
    isVouched: row.email_vouched,
    wasExtended,
  };
}

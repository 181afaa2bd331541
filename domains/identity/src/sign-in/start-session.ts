import { randomBytes } from "node:crypto";
import type { AuditAction, Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import type { Actor, IdentityContext, Origin } from "../context.ts";
import type { DB } from "../db-types.ts";
import { recordAudit } from "../record-audit.ts";
import { insertSession, listOrgsOf } from "./session-queries.ts";

export const SESSION_SECONDS = 30 * 86_400;
/** More than anyone has; a bound all the same. */
const MOST_ORGS = 1_000;

export interface Person {
  userId: Id<"usr">;
  email: string;
}

/** A browser is let in. The secret is in its cookie and nowhere else. */
export async function startSession(
  { db, keys }: IdentityContext,
  person: Person,
  origin: Origin,
): Promise<{ sessionId: Id<"ses">; secret: string }> {
  const sessionId = newId("ses");
  const secret = randomBytes(32).toString("base64url");
  await db.transaction().execute(async (tx) => {
    await insertSession(tx, {
      id: uuidOf(sessionId),
      user_id: uuidOf(person.userId),
      digest: keys.digest("session", secret),
      address: origin.address,
      user_agent: origin.userAgent?.slice(0, 300) ?? null,
      expires_at: sessionEnd(),
    });
    await auditSession(tx, person, "session.started", sessionId, origin);
  });
  return { sessionId, secret };
}

export function sessionEnd(): Date {
  return new Date(Date.now() + SESSION_SECONDS * 1_000);
}

/** A session is a person's and not an organization's, so each of theirs sees it. */
export async function auditSession(
  tx: Db<DB>,
  { userId, email }: Person,
  action: Extract<AuditAction, `session.${string}`>,
  target: Id<"ses"> | Id<"usr">,
  origin: Origin,
  details: Record<string, string> = {},
): Promise<void> {
  const actor: Actor = { kind: "user", id: userId, name: email };
  const kind = target.startsWith("ses_") ? "session" : "user";
  for (const { id: orgId } of await listOrgsOf(tx, userId, MOST_ORGS)) {
    await recordAudit(tx, { orgId, action, actor, target: { kind, id: target, name: email }, details, origin });
  }
}

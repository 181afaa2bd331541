import { type Id, idSchema, type Session, type SessionOrg, type SessionToken } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import type { IdentityContext } from "../context.ts";
import { signUserToken } from "../user-token.ts";
import type { LiveSession } from "./find-session.ts";
import { listOrgsOf } from "./session-queries.ts";

/** As many as the contract can show; the ones joined last. */
const SHOWN_ORGS = 100;

export async function describeSession({ db }: IdentityContext, session: LiveSession): Promise<Session> {
  const orgs = await listOrgsOf(db, session.userId, SHOWN_ORGS);
  return {
    user: { id: session.userId, email: session.email, name: session.name },
    org: orgs[0] ?? null,
    orgs,
  };
}

/** A token for the organization asked for by id or slug. This is renewal and switching at once. */
export async function mintToken(
  context: IdentityContext,
  session: LiveSession,
  wantedOrg?: string,
): Promise<SessionToken> {
  const described = await describeSession(context, session);
  const org = wantedOrg === undefined ? described.org : await getOrgOf(context, session.userId, wantedOrg);
  const { token, expiresAt } = await signUserToken(context.keys, {
    userId: session.userId,
    sessionId: session.sessionId,
    ...(org && { orgId: org.id }),
  });
  return { token, expires_at: expiresAt.toISOString(), ...described, org };
}

/** An organization that one is not in does not exist for one. */
async function getOrgOf({ db }: IdentityContext, userId: Id<"usr">, idOrSlug: string): Promise<SessionOrg> {
  const id = idSchema("org").safeParse(idOrSlug);
  const wanted = id.success ? { id: id.data } : { slug: idOrSlug };
  const [org] = await listOrgsOf(db, userId, 1, wanted);
  if (!org) throw new AppError("NOT_FOUND", "No such organization, or you are not in it. See orgs of this session.");
  return org;
}

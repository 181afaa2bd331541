import type { Role, TokenValidation } from "@svc/contract";
import { isActorAssertion } from "@svc/platform/http";
import { idFromUuid } from "@svc/platform/ids";
import { validateActor } from "./connector/validate-actor.ts";
import type { IdentityContext } from "./context.ts";
import { findTokenHolder } from "./queries/api-tokens.ts";
import { findSessionHolder } from "./queries/sessions.ts";
import { findSupportHolder } from "./queries/support-sessions.ts";
import { isWellFormedApiToken, isWellFormedSupportToken } from "./token-format.ts";
import { noteUse } from "./note-use.ts";
import { readUserToken } from "./user-token.ts";

/** The same words for every kind of refusal: who guesses learns nothing from them. */
const REFUSED: TokenValidation = { valid: false, reason: "Invalid or expired API token" };

/** How long others may rely on an answer. Revocations empty their caches before that. */
const CACHE_SECONDS = 5;

/** Tells a token of the cluster's workloads from the others, and whom it stands for. */
export interface WorkloadTokens {
  isWorkloadToken(token: string): boolean;
  validate(token: string): Promise<TokenValidation>;
}

export async function validateToken(
  context: IdentityContext,
  token: string,
  workloads?: WorkloadTokens,
): Promise<TokenValidation> {
  if (isWellFormedApiToken(token)) return validateApiToken(context, token);
  if (isWellFormedSupportToken(token)) return validateSupportToken(context, token);
  if (workloads?.isWorkloadToken(token)) return workloads.validate(token);
  if (isActorAssertion(token)) return (await validateActor(context, token)) ?? REFUSED;
  return validateUserToken(context, token);
}

async function validateApiToken({ db, keys }: IdentityContext, token: string): Promise<TokenValidation> {
  const found = await findTokenHolder(db, keys.digest("api token", token));
  if (!found || (found.expires_at && found.expires_at <= new Date())) return REFUSED;
  noteUse(db, "identity.api_tokens", found.token_id, found.last_used_at);
  return {
    valid: true,
    kind: "api_token",
    user: { id: idFromUuid("usr", found.user_id), email: found.email, name: found.user_name },
    org: { id: idFromUuid("org", found.org_id), slug: found.slug, name: found.org_name },
    role: found.role as Role,
    expires_at: found.expires_at?.toISOString() ?? null,
    cache_seconds: cacheSecondsUntil(found.expires_at),
  };
}

async function validateUserToken({ db, keys }: IdentityContext, token: string): Promise<TokenValidation> {
  const claims = await readUserToken(keys, token);
  if (!claims) return REFUSED;
  const found = await findSessionHolder(db, claims.sessionId, claims.userId, claims.orgId);
  if (!found) return REFUSED;
  const { org_id, slug, org_name, role } = found;
  if (!org_id || !slug || !org_name || !role) {
    return {
      valid: false,
      reason: "You are not in this organization. Switch to another, or ask an owner for an invitation.",
    };
  }
  return {
    valid: true,
    kind: "user",
    user: { id: idFromUuid("usr", found.user_id), email: found.email, name: found.user_name },
    org: { id: idFromUuid("org", org_id), slug, name: org_name },
    role: role as Role,
    expires_at: claims.expiresAt.toISOString(),
    cache_seconds: cacheSecondsUntil(claims.expiresAt),
  };
}

async function validateSupportToken({ db, keys }: IdentityContext, token: string): Promise<TokenValidation> {
  const found = await findSupportHolder(db, keys.digest("support token", token));
  if (!found) return REFUSED;
  return {
    valid: true,
    kind: "support",
    support: { session_id: idFromUuid("sup", found.id), staff: found.staff },
    org: { id: idFromUuid("org", found.org_id), slug: found.slug, name: found.org_name },
    // Never owner: support can mend things, not take an organization over.
    role: found.access === "write" ? "admin" : "viewer",
    expires_at: found.expires_at.toISOString(),
    cache_seconds: cacheSecondsUntil(found.expires_at),
  };
}

/** Nobody may rely on an answer for longer than the token lives. */
function cacheSecondsUntil(expiresAt: Date | null): number {
  if (!expiresAt) return CACHE_SECONDS;
  return Math.min(CACHE_SECONDS, Math.max(0, (expiresAt.getTime() - Date.now()) / 1_000));
}

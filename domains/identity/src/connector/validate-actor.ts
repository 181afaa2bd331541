import type { Role, TokenValidation } from "@svc/contract";
import { readActorAssertion } from "@svc/platform/http";
import { idFromUuid, uuidOf } from "@svc/platform/ids";
import type { IdentityContext } from "../context.ts";
import { noteUse } from "../note-use.ts";
import { findGrantHolder } from "./grant-queries.ts";
import { isReplayed } from "./replay-memory.ts";

/** Clocks differ by this much at most, so an assertion may be shown for this much longer. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Whom an agent acts for, by the word of the service that checked its token. The grant is looked at each time: an agent
 * that was disconnected is refused at its very next call, so nobody may rely on the answer for any time.
 */
export async function validateActor(context: IdentityContext, assertion: string): Promise<TokenValidation | undefined> {
  if (!context.actorAssertionSecret) return undefined;
  const claimed = await readActorAssertion(context.actorAssertionSecret, assertion);
  if (!claimed) return undefined;
  const found = await findGrantHolder(context.db, context.keys.fingerprint, claimed);
  if (!found) return undefined;
  const until = new Date(claimed.expiresAt.getTime() + CLOCK_TOLERANCE_MS);
  if (await isReplayed(context, claimed.assertionId, until)) return undefined;
  noteUse(context.db, "identity.platform_access_grants", uuidOf(claimed.grantId), found.last_used_at);
  return {
    valid: true,
    kind: "actor",
    user: { id: idFromUuid("usr", found.user_id), email: found.email, name: found.user_name },
    org: { id: idFromUuid("org", found.org_id), slug: found.slug, name: found.org_name },
    role: found.role as Role,
    scopes: claimed.scopes.filter((scope) => found.scopes.includes(scope)),
    client_id: claimed.clientId,
    grant_id: claimed.grantId,
    expires_at: claimed.expiresAt.toISOString(),
    cache_seconds: 0,
  };
}

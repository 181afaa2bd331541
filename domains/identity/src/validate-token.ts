import type { Role, TokenValidation } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid } from "@svc/platform/ids";
import type { DB } from "./db-types.ts";
import { findApiToken } from "./queries.ts";
import { isWellFormedApiToken } from "./token-format.ts";
import type { TokenKeys } from "./token-keys.ts";

const REFUSED: TokenValidation = { valid: false, reason: "Invalid or expired API token" };

/** How long others may rely on an answer. Revocations empty their caches before that. */
const CACHE_SECONDS = 5;

export async function validateToken(db: Db<DB>, keys: TokenKeys, token: string): Promise<TokenValidation> {
  if (!isWellFormedApiToken(token)) return REFUSED;
  const found = await findApiToken(db, keys.digestApiToken(token));
  if (!found || (found.expires_at && found.expires_at <= new Date())) return REFUSED;
  return {
    valid: true,
    kind: "api_token",
    user: { id: idFromUuid("usr", found.user_id), email: found.email, name: found.user_name },
    org: { id: idFromUuid("org", found.org_id), slug: found.slug, name: found.org_name },
    role: found.role as Role,
    expires_at: found.expires_at?.toISOString() ?? null,
    cache_seconds: CACHE_SECONDS,
  };
}

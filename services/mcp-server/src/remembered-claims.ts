import { hash } from "node:crypto";
import type { ConnectorClaims } from "@svc/platform/http";

const MAX_TOKENS = 10_000;

/**
 * An agent shows the same token for ten minutes, and to check its signature costs 60 µs of CPU, to find it here 3.
 * Nothing that can change is remembered: whether the grant lives is asked with each call.
 */
export function rememberClaims(
  read: (token: string) => Promise<ConnectorClaims | undefined>,
): (token: string) => Promise<ConnectorClaims | undefined> {
  const known = new Map<string, ConnectorClaims>();
  return async (token) => {
    // The token itself is not kept, so that a memory dump does not hold those of the last minutes.
    const key = hash("sha256", token, "base64");
    const claims = known.get(key);
    if (claims) {
      if (claims.expiresAt.getTime() > Date.now()) return claims;
      known.delete(key);
    }
    const fresh = await read(token);
    if (!fresh) return undefined;
    if (known.size >= MAX_TOKENS) dropOldest(known);
    known.set(key, fresh);
    return fresh;
  };
}

function dropOldest(known: Map<string, ConnectorClaims>): void {
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}

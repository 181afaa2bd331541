import type { Scope } from "@svc/contract";

/** What every tool here needs. */
export const NEEDED_SCOPES: Scope[] = ["data:read"];

/** RFC 6750 section 3 and RFC 9728 section 5.1: what an agent needs to know to get a token, or a better one. */
export interface Challenges {
  /** For who shows no token. */
  noToken: string;
  /** For a token that is not, or no longer, good. */
  invalidToken: string;
  /** For a token that allows less than is needed: what is needed, whatever it allows already (MCP 2026-07-28). */
  insufficientScope: string;
}

export function writeChallenges(metadataUrl: string): Challenges {
  const where = `resource_metadata="${metadataUrl}"`;
  const scope = `scope="${NEEDED_SCOPES.join(" ")}"`;
  return {
    noToken: `Bearer ${where}, ${scope}`,
    invalidToken: `Bearer error="invalid_token", error_description="The token is not valid here any more", ${where}`,
    insufficientScope: `Bearer error="insufficient_scope", ${scope}, ${where}`,
  };
}

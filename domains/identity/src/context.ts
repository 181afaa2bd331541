import type { Db } from "@svc/platform/db";
import type { DB } from "./db-types.ts";
import type { TokenKeys } from "./token-keys.ts";

/** What every use case of identity works with. */
export interface IdentityContext {
  db: Db<DB>;
  keys: TokenKeys;
  /** Carries the news of a revocation to every other process, and what was used once already. */
  cache: {
    publish(channel: string, message: string): Promise<unknown>;
    /** Undefined while there is nobody to run it. */
    runScript?(script: string, keys: string[], args: string[]): Promise<unknown>;
  };
  /** What the MCP server signs with when it acts for an agent; without it no agent is let in. */
  actorAssertionSecret?: string;
}

/** Who does something, as the audit trail names them. */
export interface Actor {
  kind: "user" | "operator" | "support" | "system";
  id: string | null;
  name: string;
}

/** From where a request came. */
export interface Origin {
  address: string | null;
  userAgent: string | null;
}

export const BY_RULE: Actor = { kind: "system", id: null, name: "svc" };

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

export { type AuditActor as Actor, BY_RULE, type Origin } from "@svc/platform/audit";

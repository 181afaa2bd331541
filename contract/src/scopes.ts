import { z } from "zod";

/** What an agent may be allowed to do for a person, and nothing else. */
export const SCOPES = ["data:read", "notifications:read", "notifications:write", "apps:read"] as const;
export type Scope = (typeof SCOPES)[number];
export const scopeSchema = z.enum(SCOPES);

/** What an agent that names no scope asks for: to read. */
export const DEFAULT_SCOPES = SCOPES.filter((scope) => scope.endsWith(":read"));

import type { Id } from "@svc/contract";
import type { Author } from "../context.ts";

/** Somebody who changes something in an organization, where it does not matter who. */
export function authorIn(orgId: Id<"org">): Author {
  return {
    orgId,
    actor: { kind: "system", id: null, name: "a test" },
    origin: { address: null, userAgent: null },
  };
}

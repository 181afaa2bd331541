import type { Id } from "@svc/contract";
import type { IdentityContext } from "./context.ts";
import { findSessionHolder } from "./queries/sessions.ts";
import { readUserToken } from "./user-token.ts";
import { validateToken } from "./validate-token.ts";

/** The person behind a token, in an organization or not: who has just signed in may have none yet. */
export async function findPersonOfToken(context: IdentityContext, token: string): Promise<Id<"usr"> | undefined> {
  const claims = await readUserToken(context.keys, token);
  if (claims) {
    const holder = await findSessionHolder(context.db, claims.sessionId, claims.userId, undefined);
    return holder && claims.userId;
  }
  const validation = await validateToken(context, token);
  return validation.valid ? validation.user?.id : undefined;
}

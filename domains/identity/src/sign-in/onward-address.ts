import { EXCHANGE_CODE_PARAMETER, type Id } from "@svc/contract";
import type { IdentityContext } from "../context.ts";
import { issueExchangeCode } from "./exchange-code.ts";
import { listOrgsOf } from "./session-queries.ts";
import type { SignInSettings } from "./settings.ts";

/** On this origin the cookie is enough; another gets a code that it exchanges once. */
export async function onwardAddress(
  context: IdentityContext,
  { baseUrl }: SignInSettings,
  sessionId: Id<"ses">,
  target: URL,
): Promise<string> {
  if (target.origin === baseUrl) return target.href;
  const onward = new URL(target);
  onward.searchParams.set(EXCHANGE_CODE_PARAMETER, await issueExchangeCode(context, sessionId, target.origin));
  return onward.href;
}

export async function isInAnOrganization({ db }: IdentityContext, userId: Id<"usr">): Promise<boolean> {
  return (await listOrgsOf(db, userId, 1)).length > 0;
}

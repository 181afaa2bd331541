import type { SessionToken } from "@svc/contract";
import { ApiProblem, createApiClient } from "@svc/http-client";
import { waitForSignIn } from "./session-end.ts";

/** Asks with the session's cookie, which no script can read. */
export const sessionCalls = createApiClient({
  baseUrl: location.origin,
  token: () => undefined,
  takeAnswersUnchecked: true,
});

/** Renewed this long before its end, so that none ends on the way. */
const RENEW_BEFORE_MS = 30_000;

/** User tokens live in this closure and nowhere else: a reload asks for new ones. */
const held = new Map<string, SessionToken>();
const asked = new Map<string, Promise<string>>();

/** A token for an organization; asks once for all who wait for it. */
export async function tokenFor(org: string): Promise<string> {
  const current = held.get(org);
  if (current && Date.parse(current.expires_at) - Date.now() > RENEW_BEFORE_MS) return current.token;
  let request = asked.get(org);
  if (!request) {
    request = renew(org).finally(() => asked.delete(org));
    asked.set(org, request);
  }
  return request;
}

export function forgetToken(org: string): void {
  held.delete(org);
}

export function holdToken(token: SessionToken): void {
  if (token.org) held.set(token.org.slug, token);
}

async function renew(org: string): Promise<string> {
  for (;;) {
    try {
      const token = await sessionCalls.sessionToken(org);
      holdToken(token);
      return token.token;
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      const { code } = await waitForSignIn();
      if (code === undefined) continue;
      const token = await sessionCalls.exchangeCode(code);
      holdToken(token);
      if (token.org?.slug === org) return token.token;
    }
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.problem.status === 401;
}

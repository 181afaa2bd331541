import type { Session, SessionToken } from "@svc/contract";
import { ApiProblem } from "@svc/http-client";
import { queryOptions } from "@tanstack/react-query";
import { signInAddress, takeExchangeCode } from "./sign-in.ts";
import { holdToken, isSignedOut, sessionCalls } from "./tokens.ts";

/** Who is signed in here. Whoever is not goes to sign in, and comes back to the address that was asked for. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: loadSession,
  staleTime: Number.POSITIVE_INFINITY,
});

async function loadSession(): Promise<Session> {
  const code = takeExchangeCode();
  try {
    return code === undefined ? await sessionWithToken() : hold(await sessionCalls.exchangeCode(code));
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    return leaveFor(signInAddress());
  }
}

/** Who is signed in, and the token that the page needs next, in one request. */
async function sessionWithToken(): Promise<Session> {
  const slug = /^\/o\/([^/]+)/.exec(location.pathname)?.[1];
  try {
    return hold(await sessionCalls.sessionToken(slug && decodeURIComponent(slug)));
  } catch (error) {
    // An organization of others, or a person in none: then there is no token to be had.
    if (isSignedOut(error) || !(error instanceof ApiProblem)) throw error;
    return sessionCalls.session();
  }
}

function hold({ token, expires_at, ...session }: SessionToken): Session {
  holdToken({ token, expires_at, ...session });
  return session;
}

/** Never settles: the page is about to be replaced. */
export function leaveFor(address: string): Promise<never> {
  location.assign(address);
  return new Promise(() => undefined);
}

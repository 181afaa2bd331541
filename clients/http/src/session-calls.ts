import type * as Contract from "@svc/contract";
import type { Calls } from "./call-api.ts";

/** For a browser, which is known by its cookie: by a client that has no token. */
export interface SessionCalls {
  /** Who is signed in in this browser. */
  session(): Promise<Contract.Session>;
  /** A token for an organization, by its id or slug; without one, for that joined last. */
  sessionToken(org?: string): Promise<Contract.SessionToken>;
  /** The code of a redirect for a token, in a page of another origin. */
  exchangeCode(code: string): Promise<Contract.SessionToken>;
  /** Signs out in every browser. */
  endSessionsEverywhere(): Promise<void>;
}

export function sessionCalls({ call, perform }: Calls): SessionCalls {
  return {
    session: () => call("GET /api/v1/session", (c) => c.sessionSchema),
    sessionToken: (org) =>
      call("POST /api/v1/session/token", (c) => c.sessionTokenSchema, org === undefined ? {} : { org }),
    exchangeCode: (code) => call("POST /api/v1/session/exchange", (c) => c.sessionTokenSchema, { code }),
    endSessionsEverywhere: () => perform("POST /api/v1/session/end-everywhere"),
  };
}

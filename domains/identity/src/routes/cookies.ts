import type { FastifyReply, FastifyRequest } from "fastify";
import { ATTEMPT_SECONDS } from "../sign-in/attempt.ts";
import { SESSION_SECONDS } from "../sign-in/start-session.ts";

const SESSION_COOKIE = "svc_session";

/** No script reads them, and no other site's form or fetch brings them. */
export interface Cookies {
  sessionOf(request: FastifyRequest): string | undefined;
  setSession(reply: FastifyReply, secret: string): void;
  clearSession(reply: FastifyReply): void;
  setAttempt(reply: FastifyReply, name: string, sealed: string): void;
  clearAttempt(reply: FastifyReply, name: string): void;
}

export function createCookies(baseUrl: string): Cookies {
  const shared = { httpOnly: true, sameSite: "lax", secure: baseUrl.startsWith("https:") } as const;
  const ofSession = { ...shared, path: "/" };
  const ofAttempt = { ...shared, path: "/auth" };
  return {
    sessionOf: (request) => request.cookies[SESSION_COOKIE],
    setSession: (reply, secret) =>
      void reply.setCookie(SESSION_COOKIE, secret, { ...ofSession, maxAge: SESSION_SECONDS }),
    clearSession: (reply) => void reply.clearCookie(SESSION_COOKIE, ofSession),
    setAttempt: (reply, name, sealed) => void reply.setCookie(name, sealed, { ...ofAttempt, maxAge: ATTEMPT_SECONDS }),
    clearAttempt: (reply, name) => void reply.clearCookie(name, ofAttempt),
  };
}

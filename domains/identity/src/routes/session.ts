import { exchangeCodeRequestSchema, sessionSchema, sessionTokenRequestSchema, sessionTokenSchema } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { bearerToken, originOf, problems, type Server } from "@svc/platform/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { describeSession, mintToken } from "../sign-in/describe-session.ts";
import { endSessionsEverywhere } from "../sign-in/end-session.ts";
import { exchangeCode } from "../sign-in/exchange-code.ts";
import { findSession, findSessionOfToken, type LiveSession } from "../sign-in/find-session.ts";
import { isFromHere } from "./from-here.ts";
import type { SignIn } from "./sign-in-options.ts";

const PATHS = [
  "/api/v1/session",
  "/api/v1/session/token",
  "/api/v1/session/exchange",
  "/api/v1/session/end-everywhere",
];
const PREFLIGHT_SECONDS = "600";

/** What an app in the browser asks: who am I, a token please, out of everywhere. */
export async function sessionRoutes(app: Server, { context, settings, cookies }: SignIn): Promise<void> {
  app.addHook("onRequest", async (request, reply) => allowOrigin(request, reply, settings.allowedOrigins));
  for (const path of PATHS) {
    app.options(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .code(204)
        .headers({
          "access-control-allow-methods": "GET, POST",
          "access-control-allow-headers": "authorization, content-type",
          "access-control-max-age": PREFLIGHT_SECONDS,
        })
        .send(),
    );
  }

  app.get(
    "/api/v1/session",
    {
      schema: {
        summary: "Who is signed in in this browser",
        response: { 200: sessionSchema, ...problems(401, 429, 503) },
      },
    },
    async (request, reply) => describeSession(context, await getSession(request, reply)),
  );

  app.post(
    "/api/v1/session/token",
    {
      onRequest: requireFromHere,
      schema: {
        summary: "A fresh user token, for this or another organization",
        body: sessionTokenRequestSchema.nullish(),
        response: { 200: sessionTokenSchema, ...problems(400, 401, 403, 404, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => mintToken(context, await getSession(request, reply), request.body?.org),
  );

  app.post(
    "/api/v1/session/exchange",
    {
      schema: {
        summary: "Exchange the one-time code of a redirect for a user token",
        body: exchangeCodeRequestSchema,
        response: { 200: sessionTokenSchema, ...problems(400, 401, 403, 413, 415, 429, 503) },
      },
    },
    async (request) => {
      const { code } = request.body;
      return mintToken(context, await exchangeCode(context, code, request.headers.origin, originOf(request)));
    },
  );

  app.post(
    "/api/v1/session/end-everywhere",
    {
      schema: {
        summary: "Sign out in every browser",
        response: { 204: z.undefined(), ...problems(401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      await endSessionsEverywhere(context, await getAnySession(request, reply), originOf(request));
      cookies.clearSession(reply);
      return reply.code(204).send();
    },
  );

  async function requireFromHere(request: FastifyRequest): Promise<void> {
    if (isFromHere(request, settings.allowedOrigins)) return;
    throw new AppError(
      "FORBIDDEN",
      "This can be asked from pages of the service only. An operator can add others to ALLOWED_REDIRECT_BASE_URLS.",
    );
  }

  async function getSession(request: FastifyRequest, reply: FastifyReply): Promise<LiveSession> {
    const secret = cookies.sessionOf(request);
    const session = secret === undefined ? undefined : await findSession(context, secret);
    if (!session || secret === undefined) {
      throw new AppError(
        "UNAUTHENTICATED",
        `Nobody is signed in in this browser. Sign in at ${settings.baseUrl}/login.`,
      );
    }
    if (session.wasExtended) cookies.setSession(reply, secret);
    return session;
  }

  /** By a token, which no other site can make a browser send; or by the cookie, from our pages. */
  async function getAnySession(request: FastifyRequest, reply: FastifyReply): Promise<LiveSession> {
    if (request.headers.authorization === undefined) {
      await requireFromHere(request);
      return getSession(request, reply);
    }
    const session = await findSessionOfToken(context, bearerToken(request));
    if (!session) throw new AppError("UNAUTHENTICATED", "This needs a user token that is still good. Sign in again.");
    return session;
  }
}

/** Apps on other origins of the list may read the answers; to all others browsers do not show them. */
function allowOrigin(request: FastifyRequest, reply: FastifyReply, allowedOrigins: ReadonlySet<string>): void {
  reply.header("vary", "Origin");
  const { origin } = request.headers;
  if (origin === undefined || !allowedOrigins.has(origin)) return;
  reply.headers({ "access-control-allow-origin": origin, "access-control-allow-credentials": "true" });
}

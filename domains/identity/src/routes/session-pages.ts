import { createOrgRequestSchema } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { originOf, type Server } from "@svc/platform/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { loginAddress, STYLESHEET } from "../pages/layout.ts";
import { noOrganizationPage } from "../pages/no-organization-page.ts";
import { signedOutPage } from "../pages/signed-out-page.ts";
import { endSession } from "../sign-in/end-session.ts";
import { findSession, type LiveSession } from "../sign-in/find-session.ts";
import { isInAnOrganization, onwardAddress } from "../sign-in/onward-address.ts";
import { REFUSAL_KINDS, SignInRefused } from "../sign-in/refusal.ts";
import { isFromHere } from "./from-here.ts";
import { sendPage, sendProblemPage } from "./send-page.ts";
import { redirectToSchema, type SignIn } from "./sign-in-options.ts";

const organizationForm = z.object({ name: z.string().max(2_000), redirect_to: redirectToSchema });
const problemQuery = z.object({
  redirect_to: redirectToSchema,
  reference: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/)
    .optional(),
});

/** Pages for who is signed in, was, or could not be. */
export function sessionPages(app: Server, signIn: SignIn): void {
  const { context, settings, cookies, targetOf, createOrgFor } = signIn;
  const ownOrigin = new Set([settings.baseUrl]);

  app.get(
    "/auth/no-organization",
    { schema: { hide: true, querystring: z.object({ redirect_to: redirectToSchema }) } },
    async (request, reply) => {
      const target = targetOf(request.query.redirect_to);
      const session = await findSessionOf(request, reply);
      if (!session) return reply.redirect(loginAddress(target.href), 303);
      if (await isInAnOrganization(context, session.userId)) {
        return reply.redirect(await onwardAddress(context, settings, session.sessionId, target), 303);
      }
      return sendPage(reply, noOrganizationPage({ person: session, redirectTo: target.href }));
    },
  );

  app.post("/auth/organization", { schema: { hide: true, body: organizationForm } }, async (request, reply) => {
    refuseFromElsewhere(request, ownOrigin);
    const target = targetOf(request.body.redirect_to);
    const session = await findSessionOf(request, reply);
    if (!session) return reply.redirect(loginAddress(target.href), 303);
    // A form that was sent twice makes one organization.
    const isSettled = await isInAnOrganization(context, session.userId);
    const problem = isSettled ? undefined : await createOrganization(request, session, request.body.name);
    if (problem === undefined) {
      return reply.redirect(await onwardAddress(context, settings, session.sessionId, target), 303);
    }
    const page = noOrganizationPage({ person: session, redirectTo: target.href, problem, name: request.body.name });
    return sendPage(reply, page, 400);
  });

  app.post("/logout", { schema: { hide: true } }, async (request, reply) => {
    refuseFromElsewhere(request, settings.allowedOrigins);
    const session = await findSessionOf(request, reply);
    if (session) await endSession(context, session, originOf(request));
    cookies.clearSession(reply);
    return reply.redirect("/auth/signed-out", 303);
  });

  app.get("/auth/signed-out", { schema: { hide: true } }, async (_request, reply) => sendPage(reply, signedOutPage()));

  app.get(
    "/auth/problem/:kind",
    { schema: { hide: true, params: z.object({ kind: z.enum(REFUSAL_KINDS) }), querystring: problemQuery } },
    async (request, reply) => {
      const { redirect_to, reference } = request.query;
      const target = redirect_to && targetOf(redirect_to).href;
      return sendProblemPage(request, reply, request.params.kind, target, reference);
    },
  );

  app.get("/auth/assets/sign-in.css", { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type("text/css; charset=utf-8")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(STYLESHEET),
  );

  async function findSessionOf(request: FastifyRequest, reply: FastifyReply): Promise<LiveSession | undefined> {
    const secret = cookies.sessionOf(request);
    const session = secret === undefined ? undefined : await findSession(context, secret);
    if (secret !== undefined && session?.wasExtended) cookies.setSession(reply, secret);
    return session;
  }

  /** What is wrong with the name, if anything. */
  async function createOrganization(
    request: FastifyRequest,
    { userId }: LiveSession,
    name: string,
  ): Promise<string | undefined> {
    const wanted = createOrgRequestSchema.safeParse({ name });
    if (!wanted.success) return "Enter a name of 1 to 200 characters.";
    try {
      await createOrgFor(userId, wanted.data.name, originOf(request));
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT") return error.message;
      throw error;
    }
  }
}

function refuseFromElsewhere(request: FastifyRequest, allowedOrigins: ReadonlySet<string>): void {
  if (!isFromHere(request, allowedOrigins)) {
    throw new SignInRefused("from-elsewhere", `a form of ${request.headers.origin?.slice(0, 200) ?? "nobody"}`);
  }
}

import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { Id } from "@svc/contract";
import { noteFailure, originOf, type Server } from "@svc/platform/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { noOrganizationAddress } from "../pages/no-organization-page.ts";
import { signInPage } from "../pages/sign-in-page.ts";
import { type Attempt, findAttemptCookie, newAttempt, openAttempt, sealAttempt } from "../sign-in/attempt.ts";
import { endSession } from "../sign-in/end-session.ts";
import { findOrCreatePerson } from "../sign-in/find-or-create-person.ts";
import { findSession } from "../sign-in/find-session.ts";
import { isInAnOrganization, onwardAddress } from "../sign-in/onward-address.ts";
import { createProviders, type Provider } from "../sign-in/providers.ts";
import { SignInRefused } from "../sign-in/refusal.ts";
import { PROVIDER_NAMES } from "../sign-in/settings.ts";
import { startSession } from "../sign-in/start-session.ts";
import { sessionPages } from "./session-pages.ts";
import { sessionRoutes } from "./session.ts";
import { refusalOf, sendPage, sendProblemPage } from "./send-page.ts";
import { redirectToSchema, shareSignIn, type SignIn, type SignInOptions } from "./sign-in-options.ts";

const loginQuery = z.object({
  provider: z.string().max(40).optional(),
  redirect_to: redirectToSchema,
  hop: z.string().max(1).optional(),
});
const callbackQuery = z.object({ state: z.string().max(200).optional() });
const callbackParams = z.object({ provider: z.enum(PROVIDER_NAMES) });

/** Everything a browser meets: the sign-in page, the way to a provider and back, sessions. */
export async function signInRoutes(app: Server, options: SignInOptions): Promise<void> {
  const signIn = shareSignIn(options);
  await app.register(cookie);
  await app.register(sessionRoutes, signIn);
  await app.register(pageRoutes, signIn);
}

async function pageRoutes(app: Server, signIn: SignIn): Promise<void> {
  await app.register(formbody);
  app.setErrorHandler((error, request, reply) => sendProblemPage(request, reply, refusalOf(request, error)));
  loginRoutes(app, signIn);
  sessionPages(app, signIn);
}

function loginRoutes(app: Server, signIn: SignIn): void {
  const { context, settings, cookies, targetOf } = signIn;
  const providers = createProviders(settings);
  const getProvider = (name: string): Provider => {
    const provider = [...providers.values()].find((candidate) => candidate.name === name);
    if (!provider) throw new SignInRefused("unknown-provider", "no such provider is set up");
    return provider;
  };

  app.get("/login", { schema: { hide: true, querystring: loginQuery } }, async (request, reply) => {
    const target = targetOf(request.query.redirect_to);
    if (request.query.provider === undefined) {
      const onward = await findOnwardAddress(request, target);
      if (onward) return reply.redirect(onward, 303);
      const page = signInPage({
        providers: [...providers.values()],
        redirectTo: request.query.redirect_to && target.href,
        continuesAt: target.origin === settings.baseUrl ? undefined : target.host,
      });
      return sendPage(reply, page);
    }
    const provider = getProvider(request.query.provider);
    const elsewhere = canonicalAddress(request, settings.baseUrl);
    if (elsewhere) return reply.redirect(elsewhere, 303);
    const attempt = newAttempt(provider.name, target.href);
    const address = await provider.startAt(attempt);
    cookies.setAttempt(reply, findAttemptCookie(attempt.state) ?? "", await sealAttempt(context.keys, attempt));
    return reply.redirect(address.href, 303);
  });

  app.get(
    "/auth/:provider/callback",
    { schema: { hide: true, params: callbackParams, querystring: callbackQuery } },
    async (request, reply) => {
      const attempt = await takeAttempt(request, reply, request.params.provider, request.query.state);
      try {
        if (!attempt) throw new SignInRefused("state-lost", "no attempt of this browser has this state");
        const { search } = new URL(request.url, settings.baseUrl);
        const account = await getProvider(attempt.provider).finish(attempt, search);
        const person = await findOrCreatePerson(context, account, originOf(request));
        await endSessionOfAnother(request, person.userId);
        const { sessionId, secret } = await startSession(context, person, originOf(request));
        cookies.setSession(reply, secret);
        const target = targetOf(attempt.redirectTo);
        if (!(await isInAnOrganization(context, person.userId))) {
          return await reply.redirect(noOrganizationAddress(target.href), 303);
        }
        return await reply.redirect(await onwardAddress(context, settings, sessionId, target), 303);
      } catch (error) {
        if (isTheCallersFault(error)) noteFailure(request);
        // On to an address of its own: this one has the provider's code in it, and a browser would keep it.
        const query = new URLSearchParams({
          reference: request.id,
          ...(attempt && { redirect_to: attempt.redirectTo }),
        });
        return reply.redirect(`/auth/problem/${refusalOf(request, error)}?${query.toString()}`, 303);
      }
    },
  );

  /** An app elsewhere comes back here to renew its token: who is signed in already is not asked again. */
  async function findOnwardAddress(request: FastifyRequest, target: URL): Promise<string | undefined> {
    const secret = target.origin === settings.baseUrl ? undefined : cookies.sessionOf(request);
    const session = secret && (await findSession(context, secret));
    if (!session || !(await isInAnOrganization(context, session.userId))) return undefined;
    return onwardAddress(context, settings, session.sessionId, target);
  }

  /** The attempt that this browser began with this state. It is spent, whatever comes of it. */
  async function takeAttempt(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: string,
    state = "",
  ): Promise<Attempt | undefined> {
    const name = findAttemptCookie(state);
    const sealed = name && request.cookies[name];
    if (!sealed) return undefined;
    cookies.clearAttempt(reply, name);
    const attempt = await openAttempt(context.keys, sealed);
    return attempt?.state === state && attempt.provider === provider ? attempt : undefined;
  }

  /** Whose cookie is about to be replaced could otherwise not end it any more. */
  async function endSessionOfAnother(request: FastifyRequest, userId: Id<"usr">): Promise<void> {
    const secret = cookies.sessionOf(request);
    const previous = secret && (await findSession(context, secret));
    if (previous && previous.userId !== userId) await endSession(context, previous, originOf(request));
  }
}

/**
 * Providers send people back to one address, and cookies belong to one host: who came by another name of this
 * service goes there first. Once, since a proxy may hide the name from us.
 */
function canonicalAddress(request: FastifyRequest, baseUrl: string): string | undefined {
  const canonical = new URL(request.url, baseUrl);
  if (request.host === canonical.host || canonical.searchParams.has("hop")) return undefined;
  canonical.searchParams.set("hop", "1");
  return canonical.href;
}

/** A provider or a database that is away is nobody's bad credential. */
function isTheCallersFault(error: unknown): boolean {
  return error instanceof SignInRefused && !["provider-unavailable", "unavailable", "internal"].includes(error.kind);
}

import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import { EXCHANGE_CODE_PARAMETER, type Id, type SessionOrg } from "@svc/contract";
import { originOf, type Server } from "@svc/platform/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errors } from "oidc-provider";
import { z } from "zod";
import {
  type AgentRequest,
  allowAgent,
  bringPerson,
  findEarlierAnswer,
  findPersonFor,
  formSecretOf,
  hasChanged,
  isFormSecret,
  readAgentRequest,
} from "../../connector/consent.ts";
import { PATHS } from "../../connector/create-provider.ts";
import { isDocumentAddress } from "../../connector/metadata-document.ts";
import { isLoopbackRedirect } from "../../connector/redirect-uri.ts";
import { toNodeRequest } from "../../connector/run-provider.ts";
import { backToAgentPage, consentPage } from "../../pages/consent-page.ts";
import { loginAddress } from "../../pages/layout.ts";
import { noOrganizationAddress } from "../../pages/no-organization-page.ts";
import type { LiveSession } from "../../sign-in/find-session.ts";
import { listOrgsOf } from "../../sign-in/session-queries.ts";
import { createCookies } from "../cookies.ts";
import { isFromHere } from "../from-here.ts";
import { sendPage } from "../send-page.ts";
import type { ConnectorRoutesOptions } from "./connector-routes.ts";
import { sendConnectError, sendConnectProblem } from "./send-connect-problem.ts";

const SHOWN_ORGS = 100;
const DENIED = { error: "access_denied", error_description: "the person said no" };

const params = z.object({ uid: z.string().regex(/^[A-Za-z0-9_-]{10,100}$/) });
const query = z.object({ [EXCHANGE_CODE_PARAMETER]: z.string().max(100).optional() });
const form = z.object({
  decision: z.enum(["allow", "deny"]),
  secret: z.string().max(100),
  org: z.string().max(100).optional(),
});

/** Where a person says whether an agent may act for them. */
export async function consentRoutes(app: Server, { connector, signIn }: ConnectorRoutesOptions): Promise<void> {
  const { context, settings, provider } = connector;
  const cookies = createCookies(signIn.baseUrl);
  const ownOrigin = new Set([settings.issuer]);
  await app.register(cookie);
  await app.register(formbody);
  app.setErrorHandler(sendConnectError);

  app.get(`${PATHS.consent}/:uid`, { schema: { hide: true, params, querystring: query } }, async (request, reply) => {
    const asked = await findAgentRequest(request);
    if (!asked) return sendConnectProblem(request, reply, "expired");
    const code = request.query[EXCHANGE_CODE_PARAMETER];
    if (code !== undefined) {
      await bringPerson(connector, asked, code, originOf(request));
      // Without the code, which must not come twice.
      return reply.redirect(addressOf(asked), 303);
    }
    const person = await findPerson(request, reply, asked);
    if (!person) return reply.redirect(signIn.baseUrl + loginAddress(addressOf(asked)), 303);
    const orgs = await listOrgsOf(context.db, person.userId, SHOWN_ORGS);
    if (orgs.length === 0) return reply.redirect(signIn.baseUrl + noOrganizationAddress(addressOf(asked)), 303);
    const grantId = await findEarlierAnswer(connector, asked, person, orgs);
    if (grantId) {
      return reply.redirect(await finish(request, { login: loginOf(person), consent: { grantId } }), 303);
    }
    return showPage(reply, asked, person, orgs);
  });

  app.post(`${PATHS.consent}/:uid`, { schema: { hide: true, params, body: form } }, async (request, reply) => {
    if (!isFromHere(request, ownOrigin)) return sendConnectProblem(request, reply, "from-elsewhere");
    const asked = await findAgentRequest(request);
    if (!asked) return sendConnectProblem(request, reply, "expired");
    const person = await findPerson(request, reply, asked);
    if (!person) return reply.redirect(signIn.baseUrl + loginAddress(addressOf(asked)), 303);
    // Somebody else has signed in since the page was shown: they are to see it first.
    const { decision, secret, org } = request.body;
    if (!isFormSecret(secret, formSecretOf(context, asked, person))) return reply.redirect(addressOf(asked), 303);
    if (decision === "deny") return leadBack(reply, asked, await finish(request, DENIED));
    const orgs = await listOrgsOf(context.db, person.userId, SHOWN_ORGS);
    const chosen = orgs.find(({ id }) => id === org);
    if (!chosen) return showPage(reply, asked, person, orgs, "Choose the organization that the agent is to work in.");
    const grantId = await allowAgent(connector, asked, person, chosen.id, originOf(request));
    return leadBack(reply, asked, await finish(request, { login: loginOf(person), consent: { grantId } }));
  });

  /** By the cookie that the browser got with the agent's request: nobody else can answer it. */
  async function findAgentRequest(
    request: FastifyRequest<{ Params: z.infer<typeof params> }>,
  ): Promise<AgentRequest | undefined> {
    const { request: node, response } = nodeRequestOf(request);
    try {
      const interaction = await provider.interactionDetails(node, response);
      return interaction.uid === request.params.uid ? readAgentRequest(interaction) : undefined;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  async function findPerson(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AgentRequest,
  ): Promise<LiveSession | undefined> {
    const secret = cookies.sessionOf(request);
    const person = await findPersonFor(context, asked, secret);
    if (secret !== undefined && person?.wasExtended) cookies.setSession(reply, secret);
    return person;
  }

  async function showPage(
    reply: FastifyReply,
    asked: AgentRequest,
    person: LiveSession,
    orgs: SessionOrg[],
    problem?: string,
  ): Promise<FastifyReply> {
    const { client_id, client_name } = asked.client.properties;
    const page = consentPage({
      agent: {
        name: client_name,
        publishedAt: isDocumentAddress(client_id) ? new URL(client_id).host : undefined,
        redirectUri: asked.redirectUri,
        isOnThisMachine: isLoopbackRedirect(asked.redirectUri),
        hasChanged: await hasChanged(connector, asked, person),
      },
      person,
      orgs,
      scopes: asked.scopes,
      action: `${PATHS.consent}/${asked.uid}`,
      formSecret: formSecretOf(context, asked, person),
      problem,
    });
    return sendPage(reply, page, problem === undefined ? 200 : 400);
  }

  /** Tells the library, and where it wants the browser next: from there it goes on to the agent. */
  async function finish(request: FastifyRequest, result: object): Promise<string> {
    const { request: node, response } = nodeRequestOf(request);
    return provider.interactionResult(node, response, { ...result }, { mergeWithLastSubmission: false });
  }

  function nodeRequestOf(request: FastifyRequest): ReturnType<typeof toNodeRequest> {
    const { cookie: sent } = request.headers;
    return toNodeRequest(settings.issuer, { method: "GET", url: request.url, headers: { cookie: sent } });
  }

  function addressOf({ uid }: AgentRequest): string {
    return `${settings.issuer}${PATHS.consent}/${uid}`;
  }
}

function leadBack(reply: FastifyReply, { client }: AgentRequest, address: string): FastifyReply {
  reply.header("refresh", `0; url=${address}`);
  return sendPage(reply, backToAgentPage(client.properties.client_name, address));
}

function loginOf({ userId }: LiveSession): { accountId: Id<"usr">; remember: boolean } {
  return { accountId: userId, remember: false };
}

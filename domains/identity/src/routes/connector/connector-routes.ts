import { noteFailure, type Server } from "@svc/platform/http";
import type { FastifyRequest } from "fastify";
import { PATHS } from "../../connector/create-provider.ts";
import type { Connector } from "../../connector/open-connector.ts";
import { prepareAuthorizationQuery } from "../../connector/prepare-request.ts";
import type { SignInSettings } from "../../sign-in/settings.ts";
import { agentRoutes } from "./agent-routes.ts";
import { consentRoutes } from "./consent-routes.ts";
import { sendConnectError } from "./send-connect-problem.ts";
import { headersOf, sendProviderAnswer } from "./send-provider-answer.ts";

export interface ConnectorRoutesOptions {
  connector: Connector;
  /** Where people sign in, which may be another host. */
  signIn: Pick<SignInSettings, "baseUrl">;
}

/** The authorization server for agents: discovery, registration, tokens, and the way through the browser. */
export async function connectorRoutes(app: Server, options: ConnectorRoutesOptions): Promise<void> {
  await app.register(agentRoutes, options.connector);
  await app.register(browserRoutes, options);
  await app.register(consentRoutes, options);
  app.addHook("onClose", options.connector.close);
}

async function browserRoutes(app: Server, { connector }: ConnectorRoutesOptions): Promise<void> {
  app.setErrorHandler(sendConnectError);

  app.get(PATHS.authorize, { schema: { hide: true } }, async (request, reply) => {
    const url = `${PATHS.authorize}?${prepareAuthorizationQuery(searchOf(request))}`;
    const answer = await connector.answer({ method: "GET", url, headers: headersOf(request) });
    if (answer.status === 400) noteFailure(request);
    return sendProviderAnswer(reply, answer);
  });

  app.get(`${PATHS.authorize}/:uid`, { schema: { hide: true } }, async (request, reply) => {
    const url = new URL(request.url, connector.settings.issuer).pathname;
    return sendProviderAnswer(reply, await connector.answer({ method: "GET", url, headers: headersOf(request) }));
  });
}

function searchOf(request: FastifyRequest): string {
  const start = request.url.indexOf("?");
  return start === -1 ? "" : request.url.slice(start + 1);
}

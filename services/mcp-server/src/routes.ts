import { AppError } from "@svc/platform/errors";
import { bearerToken, type Server } from "@svc/platform/http";
import { type GatewayOptions, openAgentCall } from "./agent-call.ts";
import { createAnswering } from "./answer-messages.ts";
import type { Agent, RecognizeAgent } from "./authenticate.ts";
import { NEEDED_SCOPES, writeChallenges } from "./challenge.ts";
import { givingUp } from "./give-up.ts";
import { admitOrigin, answerPreflight, checkHost, PUBLIC_HEADERS } from "./guard-address.ts";
import { describeResource, metadataUrlOf } from "./resource-metadata.ts";
import { allowedNames, type McpServerSettings } from "./settings.ts";

interface McpRoutesOptions {
  config: Pick<
    McpServerSettings,
    "MCP_RESOURCE_URL" | "CONNECTOR_ISSUER" | "MCP_DOCUMENTATION_URL" | "MCP_ALLOWED_HOSTS" | "MCP_ALLOWED_ORIGINS"
  >;
  recognizeAgent: RecognizeAgent;
  gateway: GatewayOptions;
}

type Request = Parameters<typeof bearerToken>[0];

/** Beyond the gateway's own limit, for what never asks the gateway and still does not end. */
const DEADLINE_MS = 40_000;

const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Where agents connect, and the documents that tell them how to get a token for it. */
export async function mcpRoutes(app: Server, options: McpRoutesOptions): Promise<void> {
  const { MCP_RESOURCE_URL, MCP_ALLOWED_HOSTS } = options.config;
  const hosts = allowedNames(MCP_RESOURCE_URL, MCP_ALLOWED_HOSTS);
  await app.register(async (scope) => {
    scope.addHook("onRequest", async ({ headers }) => checkHost(headers.host, hosts));
    serveMetadata(scope, options.config);
    await scope.register(async (platform) => servePlatform(platform, options));
  });
}

/** RFC 9728: by the path of the resource, and at the root for agents that look there alone. */
function serveMetadata(app: Server, config: McpRoutesOptions["config"]): void {
  const metadata = describeResource({
    resourceUrl: config.MCP_RESOURCE_URL,
    issuer: config.CONNECTOR_ISSUER,
    documentationUrl: config.MCP_DOCUMENTATION_URL,
  });
  for (const path of [METADATA_PATH, `${METADATA_PATH}/platform`]) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.headers(PUBLIC_HEADERS).send(metadata));
    app.options(path, { schema: { hide: true } }, async (_request, reply) =>
      reply.code(204).headers(PUBLIC_HEADERS).send(),
    );
  }
}

function servePlatform(app: Server, { config, recognizeAgent, gateway }: McpRoutesOptions): void {
  const { MCP_RESOURCE_URL: resourceUrl } = config;
  const origins = allowedNames(resourceUrl, config.MCP_ALLOWED_ORIGINS);
  const challenges = writeChallenges(metadataUrlOf(resourceUrl));
  const answerMessage = createAnswering(resourceUrl);
  const agents = new WeakMap<Request, Agent>();

  // The protocol says itself what is wrong with a body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof AppError && error.code === "UNAUTHENTICATED") {
      reply.header("www-authenticate", request.headers.authorization ? challenges.invalidToken : challenges.noToken);
    }
    throw error;
  });

  app.options("/platform", { schema: { hide: true } }, async ({ headers }, reply) =>
    reply.code(204).headers(answerPreflight(headers.origin, origins)).send(),
  );

  app.route({
    method: ["POST", "GET", "DELETE"],
    url: "/platform",
    schema: { hide: true },
    // Before the body is read: a stranger cannot make us read anything.
    onRequest: async (request, reply) => {
      reply.headers(admitOrigin(request.headers.origin, origins));
      const agent = await recognizeAgent(bearerToken(request));
      if (agent.scopes && !NEEDED_SCOPES.every((needed) => agent.scopes?.includes(needed))) {
        reply.header("www-authenticate", challenges.insufficientScope);
        throw new AppError("FORBIDDEN", `This needs the scope ${NEEDED_SCOPES.join(" ")}. Connect again and allow it.`);
      }
      agents.set(request, agent);
    },
    handler: async (request, reply) => {
      const agent = agents.get(request);
      if (!agent) throw new Error("the route does not recognize agents");
      const { signal, wait } = givingUp(reply.raw, DEADLINE_MS);
      const { method, headers, id: requestId, log } = request;
      const call = openAgentCall(agent, { requestId, signal }, gateway);
      const message = { method, headers, body: request.body as string | undefined };
      const answer = await wait(answerMessage(message, { api: call.api, requestId, log }));
      // Nothing leaves before the agent was found to be allowed it.
      await call.checkAlive();
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  });
}

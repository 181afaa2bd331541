import { createAuthenticator, keepServiceAssertion, type Server, SERVICE_HEADER } from "@svc/platform/http";
import { recognizeAgents } from "./authenticate.ts";
import { mcpRoutes } from "./routes.ts";
import type { McpServerSettings } from "./settings.ts";

/** The gateway gives up on a question earlier than this, and says why. */
const GATEWAY_TIMEOUT_MS = 35_000;

/** Everything between an agent and the gateway. */
export async function mountMcp(app: Server, config: McpServerSettings): Promise<void> {
  const { ACTOR_ASSERTION_SECRET: secret, CONNECTOR_ISSUER: issuer, JWT_SECRET: jwtSecret } = config;
  const asService = (to: string): (() => Promise<string>) =>
    keepServiceAssertion(secret, { from: "mcp-server", to, right: "tokens:validate" });
  const gatewayAssertion = asService("api-gateway");
  await mcpRoutes(app, {
    config,
    recognizeAgent: recognizeAgents({
      authenticator: createAuthenticator({
        authServiceUrl: config.AUTH_SERVICE_URL,
        serviceAssertion: asService("auth-service"),
      }),
      actorAssertionSecret: secret,
      connector: issuer && jwtSecret ? { issuer, jwtSecret, resource: config.MCP_RESOURCE_URL } : undefined,
    }),
    gateway: {
      gatewayUrl: config.API_GATEWAY_URL,
      serviceHeaders: async () => ({ [SERVICE_HEADER]: await gatewayAssertion() }),
      timeoutMs: GATEWAY_TIMEOUT_MS,
    },
  });
}

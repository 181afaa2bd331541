import { randomBytes } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readConfig } from "@svc/platform/config";
import { createServer } from "@svc/platform/http";
import { recordingLogger } from "@svc/platform/testing";
import { mountMcp } from "../mount-mcp.ts";
import { mcpServerSettings } from "../settings.ts";
import { type AuthOfGrants, type Grant, startAuthOfGrants } from "./auth-of-grants.ts";
import { type GatewayStandIn, startGatewayStandIn } from "./gateway-stand-in.ts";
import { signConnectorToken } from "./sign-token.ts";

export const ISSUER = "https://auth.example.com";
export const RESOURCE = "https://mcp.example.com/platform";
export const METADATA_URL = "https://mcp.example.com/.well-known/oauth-protected-resource/platform";

export const ERAS = ["2025", "2026"] as const;
type Era = (typeof ERAS)[number];

export interface McpFixture {
  /** Of /platform. */
  url: string;
  auth: AuthOfGrants;
  gateway: GatewayStandIn;
  secrets: { jwt: string; actor: string };
  logged(): string;
  /** Drops what the stand-ins have kept. */
  forget(): void;
  /** What a token of the grant says, before it is signed. */
  claimsOf(grant: Grant): Record<string, unknown>;
  tokenOf(grant: Grant): string;
  /** The official client, which speaks the protocol of one era. */
  connect(token: string, era: Era): Promise<Client>;
  /** A request by hand, in the protocol of 2026. */
  post(token: string | undefined, method: string, params?: object, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** The service itself on a real port, between stand-ins for the gateway and the auth service. */
export async function createMcpFixture(settings: Record<string, string> = {}): Promise<McpFixture> {
  const secrets = { jwt: randomBytes(32).toString("hex"), actor: randomBytes(32).toString("hex") };
  const auth = await startAuthOfGrants(secrets.actor);
  const gateway = await startGatewayStandIn(auth.url);
  const config = readConfig(mcpServerSettings, {
    API_GATEWAY_URL: gateway.url,
    AUTH_SERVICE_URL: auth.url,
    MCP_RESOURCE_URL: RESOURCE,
    CONNECTOR_ISSUER: ISSUER,
    JWT_SECRET: secrets.jwt,
    ACTOR_ASSERTION_SECRET: secrets.actor,
    ...settings,
  });
  const { log, lines } = recordingLogger();
  if (settings["LOG_LEVEL"]) log.level = settings["LOG_LEVEL"];
  const app = await createServer({ log, title: "MCP under test", failureLimit: false });
  await mountMcp(app, config);
  const url = `${await app.listen({ host: "127.0.0.1", port: 0 })}/platform`;
  const claimsOf = (grant: Grant): Record<string, unknown> => claimsFor(grant);
  const tokenOf = (grant: Grant): string => signConnectorToken(secrets.jwt, claimsOf(grant));
  const clients: Client[] = [];

  return {
    url,
    auth,
    gateway,
    secrets,
    claimsOf,
    tokenOf,
    forget: () => {
      gateway.forget();
      auth.asked.length = 0;
      auth.forget();
      lines.splice(0, lines.length, ...lines.filter(({ level }) => level === "error" || level === "fatal"));
    },
    logged: () => lines.map((line) => JSON.stringify(line)).join("\n"),
    connect: async (token, era) => {
      const client = new Client(
        { name: "test-agent", version: "1.0.0" },
        era === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {},
      );
      clients.push(client);
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      return client;
    },
    post: (token, method, params = {}, headers = {}) => {
      const { body, headers: own } = modernMessage(method, params);
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return fetch(url, { method: "POST", headers: { ...own, ...authorization, ...headers }, body });
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      // A connection on which nothing was asked yet counts as busy.
      app.server.closeAllConnections();
      await app.close();
      await gateway.close();
      await auth.close();
    },
  };
}

function claimsFor({ userId, orgId, clientId, grantId, scopes }: Grant): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: ISSUER,
    aud: RESOURCE,
    sub: userId,
    org: orgId,
    client_id: clientId,
    grant_id: grantId,
    scope: scopes.join(" "),
    jti: randomBytes(8).toString("hex"),
    iat: now,
    exp: now + 600,
  };
}

/** One message of the protocol of 2026, with the headers that have to go with it. */
export function modernMessage(method: string, params: object): { body: string; headers: Record<string, string> } {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "by-hand", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { name } = params as { name?: string };
  return {
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name && { "mcp-name": name }),
    },
  };
}

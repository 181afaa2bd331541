/*
 * An agent of your own, from nothing but the address of the MCP endpoint: it sends you to the browser once, then lists
 * the data sources that you may ask and asks each of them. What it got is kept in own-agent.json, so that the next run
 * asks nobody.
 *
 *   npm install @modelcontextprotocol/client@2.4.0
 *   node own-agent.ts https://mcp.example.com/platform "who pays for a train ticket?"
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

const [endpoint, question] = process.argv.slice(2);
if (!endpoint || !question) throw new Error('usage: node own-agent.ts <MCP endpoint> "<question>"');

interface Kept {
  client?: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
  tokens?: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  server?: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;
}
const FILE = "own-agent.json";
let kept: Kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Kept) : {};
const keep = (changes: Kept): void => {
  kept = { ...kept, ...changes };
  // Whoever can read it can ask in your name.
  writeFileSync(FILE, JSON.stringify(kept), { mode: 0o600 });
};

// Where the browser comes back to. Any free port will do: of loopback addresses the port does not count.
const callback = createServer();
await once(callback.listen(0, "127.0.0.1"), "listening");
const redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;

const state = randomUUID();
let verifier = "";
const provider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: { client_name: "Own agent", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
  state: () => state,
  clientInformation: () => kept.client,
  saveClientInformation: (client) => keep({ client }),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => keep({ tokens }),
  // The code goes to the server that the browser was sent to, and to no other.
  discoveryState: () => kept.server,
  saveDiscoveryState: (server) => keep({ server }),
  saveCodeVerifier: (value) => void (verifier = value),
  codeVerifier: () => verifier,
  redirectToAuthorization: (address) => void process.stderr.write(`Open this in your browser:\n${address.href}\n`),
  // Called when the service refuses what was kept, as it does once the agent was disconnected.
  invalidateCredentials: (what) => {
    if (what === "all" || what === "client") keep({ client: undefined });
    if (what === "all" || what === "tokens") keep({ tokens: undefined });
    if (what === "all" || what === "discovery") keep({ server: undefined });
  },
};

async function comeBack(): Promise<URLSearchParams> {
  const [request, response] = await once(callback, "request");
  response.end("Connected. You can close this page.");
  const { searchParams } = new URL(request.url, redirectUrl);
  if (searchParams.get("state") !== state) throw new Error("an answer that was not asked for");
  return searchParams;
}

async function connect(): Promise<Client> {
  const client = new Client({ name: "own-agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const transport = new StreamableHTTPClientTransport(new URL(endpoint ?? ""), { authProvider: provider });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await comeBack());
    return connect();
  }
}

const client = await connect();
const { structuredContent } = await client.callTool({ name: "data_sources_list", arguments: {} });
const { items } = structuredContent as { items: { id: string; name: string }[] };
for (const { id, name } of items) {
  const answer = await client.callTool({
    name: "data_source_query",
    arguments: { source_id: id, query: question, top_k: 3 },
  });
  process.stdout.write(`${name}: ${JSON.stringify(answer.structuredContent ?? answer.content, null, 2)}\n`);
}
if (items.length === 0) process.stdout.write("No data source is open to you in this organization.\n");
await client.close();
callback.close();
callback.closeAllConnections();

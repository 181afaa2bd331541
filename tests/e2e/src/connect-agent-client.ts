import { randomBytes } from "node:crypto";
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Callback } from "./connect-agent-callback.ts";

export type Era = "2025" | "2026";

/** A program that somebody runs on their machine, which is told nothing but an address. */
export interface Agent {
  client: Client;
  memory: Memory;
  /** What it asked over HTTP and how that was answered: `401 POST http://… tools/list`. */
  steps: string[];
  /** The `WWW-Authenticate` of each answer that had one. */
  challenges: string[];
  /** Tries to connect, and gives the address that it would open for the person. */
  askPerson(): Promise<URL>;
  /** Goes on with what the browser brought back. */
  connect(brought: URLSearchParams): Promise<void>;
}

/** What the library has its user keep. */
interface Memory {
  registration?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens | undefined;
  /** Every token that it ever got. */
  allTokens: string[];
  discovery?: OAuthDiscoveryState;
  codeVerifier?: string;
  /** Where the library has sent the person last. */
  askedAt?: URL;
}

interface AgentOptions {
  name: string;
  era: Era;
  callback: Callback;
}

export function startAgent(endpoint: string, { name, era, callback }: AgentOptions): Agent {
  const memory: Memory = { allTokens: [] };
  const steps: string[] = [];
  const challenges: string[] = [];
  const client = new Client(
    { name, version: "1.0.0" },
    era === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {},
  );
  const authProvider = rememberIn(memory, name, callback.url);
  const fetchAndNote = async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    steps.push([response.status, init?.method ?? "GET", String(input), rpcMethodOf(init?.body)].join(" ").trim());
    const challenge = response.headers.get("www-authenticate");
    if (challenge) challenges.push(challenge);
    return response;
  };
  const open = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(endpoint), { authProvider, fetch: fetchAndNote });
  let transport = open();
  return {
    client,
    memory,
    steps,
    challenges,
    askPerson: async () => {
      const refusal: unknown = await client.connect(transport).catch((error: unknown) => error);
      if (!(refusal instanceof UnauthorizedError) || !memory.askedAt) throw new Error(`not asked: ${String(refusal)}`);
      return memory.askedAt;
    },
    connect: async (brought) => {
      await transport.finishAuth(brought);
      // One that was refused is used up.
      transport = open();
      await client.connect(transport);
    },
  };
}

function rememberIn(memory: Memory, name: string, redirectUrl: string): OAuthClientProvider {
  return {
    redirectUrl,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => randomBytes(16).toString("hex"),
    clientInformation: () => memory.registration,
    saveClientInformation: (registration) => void (memory.registration = registration),
    tokens: () => memory.tokens,
    saveTokens: (tokens) => {
      memory.tokens = tokens;
      memory.allTokens.push(tokens.access_token, tokens.refresh_token ?? "no refresh token");
    },
    discoveryState: () => memory.discovery,
    saveDiscoveryState: (discovery) => void (memory.discovery = discovery),
    codeVerifier: () => memory.codeVerifier ?? "",
    saveCodeVerifier: (codeVerifier) => void (memory.codeVerifier = codeVerifier),
    redirectToAuthorization: (address) => void (memory.askedAt = address),
    invalidateCredentials: (what) => {
      if (what === "tokens") memory.tokens = undefined;
    },
  };
}

function rpcMethodOf(body: unknown): string {
  if (typeof body !== "string" || !body.startsWith("{")) return "";
  return (JSON.parse(body) as { method?: string }).method ?? "";
}

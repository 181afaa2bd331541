import { createHash, randomBytes } from "node:crypto";
import type { Browser } from "./connector-browser.ts";

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** What an agent has read of the server that it asks for tokens. */
export interface TokenServer {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
}

/** A program on the person's own machine: each of them is asked for, and has a grant of its own. */
const REDIRECT_URI = "http://127.0.0.1/callback";

/** From nothing but the address of the MCP endpoint, as agents do. */
export async function discoverTokenServer(mcpUrl: string): Promise<TokenServer> {
  const { origin, pathname } = new URL(mcpUrl);
  const resource = await fetchJson(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const [issuer] = resource.authorization_servers as string[];
  return (await fetchJson(`${issuer}/.well-known/oauth-authorization-server`)) as TokenServer;
}

export async function registerClient(server: TokenServer, name: string): Promise<string> {
  const { client_id } = await fetchJson(server.registration_endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [REDIRECT_URI] }),
  });
  return client_id as string;
}

/** Through the local provider, where everyone may be whom they like. */
export async function signIn(browser: Browser, base: string, sub: string): Promise<void> {
  const login = new URL("/login", base);
  login.search = new URLSearchParams({ provider: "google", redirect_to: `${base}/api/v1/session` }).toString();
  const people = await browser.open(login);
  const session = await browser.sendForm(people.url, { person: sub });
  if (session.status !== 200) throw new Error(`${sub} is not signed in: ${session.status} ${session.url.href}`);
}

/** The person whose browser it is allows the client, which fetches its first tokens. */
export async function connectAgent(browser: Browser, server: TokenServer, clientId: string): Promise<Tokens> {
  const verifier = randomBytes(32).toString("base64url");
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    scope: "data:read",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const consent = await browser.open(address);
  const hidden = (name: string): string =>
    new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(consent.text)?.[1] ?? "";
  const allowed = { decision: "allow", secret: hidden("secret"), org: hidden("org") };
  const answered = await browser.sendForm(consent.url, allowed);
  const onward = answered.headers.get("refresh")?.split("url=")[1];
  const { onward: back } = await browser.open(onward ?? answered.url, REDIRECT_URI);
  const code = back?.searchParams.get("code");
  if (!code) throw new Error(`the person was not led back to the agent from ${consent.url.href}: ${consent.status}`);
  return (await fetchJson(server.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
      client_id: clientId,
      code_verifier: verifier,
    }),
  })) as Tokens;
}

export function grantIdOf({ access_token }: Tokens): string {
  const claims = Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString();
  return (JSON.parse(claims) as { grant_id: string }).grant_id;
}

async function fetchJson(address: string, init?: RequestInit): Promise<any> {
  const response = await fetch(address, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

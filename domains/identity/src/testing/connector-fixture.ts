import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createNetServer, type AddressInfo } from "node:net";
import type { Logger } from "@svc/platform/telemetry";
import { fetch } from "undici";
import type { FetchGuard } from "../connector/guarded-fetch.ts";
import { type Connector, openConnector } from "../connector/open-connector.ts";
import type { ConnectorSettings } from "../connector/settings.ts";
import { createOrg } from "../create-org.ts";
import { connectorRoutes } from "../routes/connector/connector-routes.ts";
import { signInRoutes } from "../routes/sign-in.ts";
import type { SignInSettings } from "../sign-in/settings.ts";
import { createHttpBrowser, type HttpBrowser, type Visit } from "./http-browser.ts";
import { createIdentityFixture, type IdentityFixture, NOWHERE } from "./identity-fixture.ts";
import { startProviderStandIn } from "./provider-stand-in.ts";

export const JWT_SECRET = randomBytes(32).toString("hex");
export const ACTOR_ASSERTION_SECRET = randomBytes(32).toString("hex");
export const RESOURCE = "https://mcp.example.com/platform";
export const CALLBACK = "https://agent.example.com/callback";

interface Json {
  status: number;
  body: any;
  headers: Headers;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

/** An agent as a program: it registers or not, sends people to us and exchanges what they bring back. */
export interface TestAgent {
  clientId: string;
  redirectUri: string;
  /** Each call is a request of its own, with its own verifier. */
  authorizeUrl(change?: Record<string, string | undefined>): string;
  redeem(back: URL, change?: Record<string, string | undefined>): Promise<Json>;
  refresh(token: string, change?: Record<string, string | undefined>): Promise<Json>;
}

export interface ConnectorFixture extends IdentityFixture {
  connector: Connector;
  issuer: string;
  /** Where people sign in. */
  appUrl: string;
  sendForm(path: string, form: Record<string, string | undefined>): Promise<Json>;
  register(metadata: object): Promise<Json>;
  newAgent(clientId: string, redirectUri?: string): TestAgent;
  /** Registers one that nobody else has. */
  newRegisteredAgent(redirectUri?: string): Promise<TestAgent>;
  newBrowser(): HttpBrowser;
  /** From wherever the sign-in page is to wherever it leads. */
  signIn(browser: HttpBrowser, email: string, at: Visit): Promise<Visit>;
  /** Opens the authorization address as this person, as far as the consent page or the agent. */
  ask(browser: HttpBrowser, email: string, url: string): Promise<Visit>;
  /** Answers the consent page; answers with where the browser is sent: back to the agent. */
  decide(browser: HttpBrowser, page: Visit, answer?: { decision?: string; org?: string }): Promise<URL>;
  /** All of it: the tokens of an agent that this person has allowed. */
  connect(agent: TestAgent, email: string, org?: string): Promise<Tokens>;
}

interface FixtureOptions {
  /** People sign in on another host than agents know. */
  isSplit?: boolean;
  guard?: FetchGuard;
  log?: Logger;
  clientLimits?: ConnectorSettings["clientLimits"];
}

/** The authorization server on a real database and a real port, with people who can sign in. */
export async function createConnectorFixture(options: FixtureOptions = {}): Promise<ConnectorFixture> {
  const identity = await createIdentityFixture(options.log);
  const { context, app } = identity;
  context.actorAssertionSecret = ACTOR_ASSERTION_SECRET;
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const appUrl = options.isSplit ? `http://localhost:${port}` : issuer;
  const google = await startProviderStandIn();
  const signInSettings: SignInSettings = {
    google,
    microsoft: undefined,
    baseUrl: appUrl,
    allowedOrigins: new Set([appUrl, issuer]),
  };
  await app.register(signInRoutes, {
    context,
    settings: signInSettings,
    createOrgFor: (ownerId, name) => createOrg(context, { name, ownerId }, NOWHERE),
  });
  const clientLimits = options.clientLimits ?? { inAll: 100, perOrigin: 5 };
  const connector = openConnector({
    context,
    settings: { issuer, resource: RESOURCE, clientLimits },
    jwtSecret: JWT_SECRET,
    ...(options.guard && { guard: options.guard }),
  });
  await app.register(connectorRoutes, { connector, signIn: signInSettings });
  await app.listen({ host: "127.0.0.1", port });

  const fixture: ConnectorFixture = {
    ...identity,
    connector,
    issuer,
    appUrl,
    sendForm: (path, form) => sendForm(issuer + path, form),
    register: (metadata) => sendJson(`${issuer}/oauth/register`, metadata),
    newAgent: (clientId, redirectUri = CALLBACK) => newAgent(issuer, clientId, redirectUri),
    newRegisteredAgent: async (redirectUri = CALLBACK) => {
      const name = `Agent ${randomBytes(6).toString("hex")}`;
      const { body } = await fixture.register({ client_name: name, redirect_uris: [redirectUri] });
      return fixture.newAgent(body.client_id, redirectUri);
    },
    newBrowser: createHttpBrowser,
    signIn: async (browser, email, at) => {
      const redirectTo = at.url.searchParams.get("redirect_to") ?? "";
      const query = new URLSearchParams({ provider: "google", redirect_to: redirectTo });
      const away = await browser.get(`${appUrl}/login?${query.toString()}`);
      google.claims = { sub: email, email, email_verified: true, hd: email.split("@")[1] };
      return browser.get(google.signIn(away.location?.href ?? ""));
    },
    ask: async (browser, email, url) => {
      const isAway = (location: URL): boolean => ![issuer, appUrl].includes(location.origin);
      const landed = await browser.follow(await browser.get(url), isAway);
      if (landed.url.pathname !== "/login") return landed;
      return browser.follow(await fixture.signIn(browser, email, landed), isAway);
    },
    decide: async (browser, page, { decision = "allow", org } = {}) => {
      const hidden = (name: string): string | undefined =>
        new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(page.text)?.[1];
      const form = { secret: hidden("secret") ?? "", decision, org: org ?? hidden("org") ?? "" };
      const isAway = (location: URL): boolean => location.origin !== issuer;
      const answered = await browser.post(page.url, form);
      const onward = answered.headers.get("refresh")?.split("url=")[1];
      if (onward === undefined) throw new Error(`the answer was not taken: ${answered.status}`);
      const { location } = await browser.follow(await browser.get(onward), isAway);
      if (!location) throw new Error("the browser was not sent back to the agent");
      return location;
    },
    connect: async (agent, email, org) => {
      const browser = createHttpBrowser();
      const page = await fixture.ask(browser, email, agent.authorizeUrl());
      const back = page.location ?? (await fixture.decide(browser, page, org === undefined ? {} : { org }));
      const { status, body } = await agent.redeem(back);
      if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
      return body as Tokens;
    },
    close: async () => {
      await google.close();
      await identity.close();
    },
  };
  return fixture;
}

function newAgent(issuer: string, clientId: string, redirectUri: string): TestAgent {
  let verifier = "";
  return {
    clientId,
    redirectUri,
    authorizeUrl: (change = {}) => {
      verifier = randomBytes(32).toString("base64url");
      const query = withoutUndefined({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        state: "the state",
        scope: "data:read",
        resource: RESOURCE,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        ...change,
      });
      return `${issuer}/oauth/authorize?${query.toString()}`;
    },
    redeem: (back, change = {}) =>
      sendForm(`${issuer}/oauth/token`, {
        grant_type: "authorization_code",
        code: back.searchParams.get("code") ?? "",
        redirect_uri: back.origin + back.pathname,
        client_id: clientId,
        code_verifier: verifier,
        ...change,
      }),
    refresh: (token, change = {}) =>
      sendForm(`${issuer}/oauth/token`, {
        grant_type: "refresh_token",
        refresh_token: token,
        client_id: clientId,
        ...change,
      }),
  };
}

async function sendForm(address: string, form: Record<string, string | undefined>): Promise<Json> {
  return toJson(await fetch(address, { method: "POST", body: withoutUndefined(form) }));
}

async function sendJson(address: string, body: object): Promise<Json> {
  const headers = { "content-type": "application/json" };
  return toJson(await fetch(address, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function toJson(response: Awaited<ReturnType<typeof fetch>>): Promise<Json> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers as unknown as Headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

function withoutUndefined(values: Record<string, string | undefined>): URLSearchParams {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(entries);
}

/** The issuer is part of what is set up, so the port must be known before anything listens there. */
async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  chromiumOptions,
  type LocalPerson,
  type LocalProvider,
  prepareStack,
  type PrivateServices,
  type ServiceProcess,
  type Stack,
  startLocalProvider,
  startPrivateServices,
  type ServiceName,
} from "@svc/dev";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export const TENANT = "11111111-2222-3333-4444-555555555555";
export const CONSUMER_TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";

type ProviderLabel = "Google" | "Microsoft";

export interface SignInStack {
  stack: Stack;
  /** Where people meet the service. */
  base: string;
  /** The origin of an app that is allowed and is another. */
  app: string;
  issuers: Record<ProviderLabel, string>;
  /** What both providers know the service by. */
  clientSecret: string;
  browser: Browser;
  /** A person whom Google vouches for, with an account of their own; answers with the address. */
  googler(email: string, claims?: Record<string, unknown>): string;
  /** A person with an account of a Microsoft tenant, for whose address nobody vouches. */
  microsoftie(email: string, claims?: Record<string, unknown>): string;
  /** Starts the auth service anew, with other settings. */
  restart(env?: Record<string, string>): Promise<void>;
  /** A browser of somebody else, and every address it went to. */
  newVisitor(): Promise<Visitor>;
  stop(): Promise<void>;
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Every address that was navigated to, redirects included. */
  visited: string[];
  /** Content-Security-Policy of every page that was shown by the service. */
  policies: Map<string, string>;
  /** From the sign-in page through the provider's to wherever it ends. */
  signIn(at: ProviderLabel, email: string, redirectTo?: string): Promise<void>;
  /** As a page of the service would: with its cookies and its origin. */
  fetchJson(path: string, init?: { method: string; body?: string; headers?: Record<string, string> }): Promise<any>;
}

interface SignInStackOptions {
  /** Settings of the gateway. */
  gateway?: Record<string, string>;
  /** Services beside the gateway and the auth service. */
  also?: ServiceName[];
}

/** The gateway, the auth service and a stand-in for each provider, with a browser in front. */
export async function startSignInStack({ gateway = {}, also = [] }: SignInStackOptions = {}): Promise<SignInStack> {
  const services = await startPrivateServices();
  const stack = await prepareStack(services);
  const base = stack.urlOf("api-gateway");
  const people: Record<ProviderLabel, LocalPerson[]> = { Google: [], Microsoft: [] };
  const secret = randomBytes(32).toString("hex");
  const startProvider = (name: ProviderLabel): Promise<LocalProvider> =>
    startLocalProvider({
      name,
      port: 0,
      client: { id: "svc", secret, redirectUri: `${base}/auth/${name.toLowerCase()}/callback` },
      people: people[name],
    });
  const [google, microsoft, app] = await Promise.all([
    startProvider("Google"),
    startProvider("Microsoft"),
    startOtherApp(),
  ]);
  const env = {
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: "svc",
    GOOGLE_CLIENT_SECRET: secret,
    MICROSOFT_ISSUER: microsoft.issuer,
    MICROSOFT_CLIENT_ID: "svc",
    MICROSOFT_CLIENT_SECRET: secret,
    MICROSOFT_TENANT_ID: "common",
    ALLOWED_REDIRECT_BASE_URLS: app.origin,
  };
  const [firstAuthService, browser] = await Promise.all([
    stack.start("auth-service", env),
    chromium.launch(chromiumOptions()),
    stack.start("api-gateway", gateway),
    ...also.map((name) => stack.start(name)),
  ]);
  let authService: ServiceProcess = firstAuthService;

  return {
    stack,
    base,
    app: app.origin,
    issuers: { Google: google.issuer, Microsoft: microsoft.issuer },
    clientSecret: secret,
    browser,
    googler: (email, claims) => {
      const proven = { email_verified: true, hd: email.split("@")[1], name: "Ada" };
      return put(people.Google, { sub: `g-${email}`, claims: { email, ...proven, ...claims } });
    },
    microsoftie: (email, claims) =>
      put(people.Microsoft, { sub: `m-${email}`, claims: { email, oid: `o-${email}`, tid: TENANT, ...claims } }),
    restart: async (changes = {}) => {
      await authService.stop();
      authService = await stack.start("auth-service", { ...env, ...changes });
    },
    newVisitor: () => newVisitor(browser, base),
    stop: () => stopAll(browser, stack, [google, microsoft, app], services),
  };
}

/** In the place of one with the same sub. */
function put(people: LocalPerson[], person: LocalPerson): string {
  const known = people.findIndex(({ sub }) => sub === person.sub);
  people.splice(known === -1 ? people.length : known, 1, person);
  return person.claims.email ?? "";
}

let domains = 0;

/** One that no organization has claimed. */
export function newDomain(): string {
  return `acme-${(domains += 1)}.example`;
}

export function heading({ page }: Visitor): Promise<string> {
  return page.locator("h1").innerText();
}

async function stopAll(
  browser: Browser,
  stack: Stack,
  servers: { close(): Promise<void> }[],
  services: PrivateServices,
): Promise<void> {
  await browser.close();
  await stack.stop();
  await Promise.all(servers.map((server) => server.close()));
  await services.destroy();
}

/** An app of the customer's, as far as signing in is concerned: an empty page on its own origin. */
async function startOtherApp(): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end('<!doctype html><html lang="en"><title>app</title><link rel="icon" href="data:,"><p>The app</p>');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // By its other name: to a browser that is another site, and cookies do not go there.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function newVisitor(browser: Browser, base: string): Promise<Visitor> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const visited: string[] = [];
  const policies = new Map<string, string>();
  context.on("request", (request) => {
    if (request.isNavigationRequest()) visited.push(request.url());
  });
  context.on("response", (response) => {
    const { "content-type": type = "", "content-security-policy": policy = "" } = response.headers();
    if (response.url().startsWith(base) && type.startsWith("text/html")) policies.set(response.url(), policy);
  });
  return {
    context,
    page,
    visited,
    policies,
    signIn: async (at, email, redirectTo = `${base}/api/v1/session`) => {
      await page.goto(`${base}/login?redirect_to=${encodeURIComponent(redirectTo)}`);
      await page.getByRole("link", { name: `Continue with ${at}` }).click();
      await page.getByRole("button", { name: email, exact: true }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/pick/") && !url.pathname.startsWith("/auth/pick"));
    },
    fetchJson: async (path, init = { method: "GET" }) => {
      const headers = { origin: base, ...(init.body && { "content-type": "application/json" }), ...init.headers };
      const response = await context.request.fetch(`${base}${path}`, {
        method: init.method,
        headers,
        ...(init.body && { data: init.body }),
      });
      return { status: response.status(), body: await response.json().catch(() => undefined) };
    },
  };
}

import { openDatabase } from "@svc/platform/db";
import { createServer, type Server } from "@svc/platform/http";
import { silentLogger } from "@svc/platform/testing";
import { createOrg } from "../create-org.ts";
import type { DB } from "../db-types.ts";
import { signInRoutes } from "../routes/sign-in.ts";
import type { SignInSettings } from "../sign-in/settings.ts";
import { createIdentityFixture, type IdentityFixture } from "./identity-fixture.ts";
import { type ProviderStandIn, startProviderStandIn } from "./provider-stand-in.ts";

export const BASE = "https://app.example.com";
export const CONSOLE = "https://console.example.com";

export interface Answer {
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
  /** Where it leads to, when it is a redirect. */
  location: URL;
}

export interface Browser {
  cookies: Map<string, string>;
  get(address: string, headers?: Record<string, string>): Promise<Answer>;
  /** A form as the page of `origin` sends it. */
  post(address: string, form?: Record<string, string>, origin?: string): Promise<Answer>;
  send(method: "GET" | "POST" | "OPTIONS", address: string, options?: Request): Promise<Answer>;
  /** From the sign-in page to the provider and back; answers with what the callback answered. */
  signIn(claims: Record<string, unknown>, redirectTo?: string): Promise<Answer>;
}

interface Request {
  headers?: Record<string, string>;
  json?: unknown;
}

export interface SignInFixture extends IdentityFixture {
  google: ProviderStandIn;
  settings: SignInSettings;
  newBrowser(of?: Server): Browser;
  /** The same service while its database is away. */
  stranded: Server;
}

/** Signing in on a real database, with a provider that fails on demand. */
export async function createSignInFixture(): Promise<SignInFixture> {
  const fixture = await createIdentityFixture();
  const { context } = fixture;
  const google = await startProviderStandIn();
  const settings: SignInSettings = {
    google,
    microsoft: undefined,
    baseUrl: BASE,
    allowedOrigins: new Set([BASE, CONSOLE]),
  };
  const options = {
    context,
    settings,
    createOrgFor: (ownerId: `usr_${string}`, name: string) => createOrg(context, { name, ownerId }, NOWHERE),
  };
  await fixture.app.register(signInRoutes, options);

  const log = silentLogger();
  const away = openDatabase<DB>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log });
  const stranded = await createServer({ log, title: "stranded" });
  await stranded.register(signInRoutes, { ...options, context: { ...context, db: away.db } });

  return {
    ...fixture,
    google,
    settings,
    stranded,
    newBrowser: (of = fixture.app) => createBrowser(of, google),
    close: async () => {
      await Promise.all([stranded.close(), away.close(), google.close()]);
      await fixture.close();
    },
  };
}

/** Status and heading of a page for people: HTML, under a policy that lets nothing run. */
export function pageOf({ status, text, headers }: Answer): [number, string | undefined] {
  const policy = String(headers["content-security-policy"]);
  const isSafe = /^default-src 'none'; style-src 'self'; .*frame-ancestors 'none'; base-uri 'none'$/.test(policy);
  if (!isSafe || policy.includes("unsafe")) throw new Error(`not a safe policy: ${policy}`);
  if (headers["content-type"] !== "text/html; charset=utf-8") throw new Error("not a page");
  if (headers["cache-control"] !== "no-store") throw new Error("a page that may be kept");
  return [status, /<h1>([^<]*)/.exec(text)?.[1]];
}

const NOWHERE = { address: null, userAgent: null };

/** As much of a browser as a route can tell: cookies, and the origin of what it posts. */
function createBrowser(app: Server, google: ProviderStandIn): Browser {
  const cookies = new Map<string, string>();
  const browser: Browser = {
    cookies,
    get: (address, headers = {}) => browser.send("GET", address, { headers }),
    post: (address, form = {}, origin = BASE) =>
      send("POST", address, {
        headers: { origin, "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams(form).toString(),
      }),
    send: (method, address, { headers = {}, json } = {}) =>
      send(method, address, { headers, ...(json !== undefined && { payload: json as object }) }),
    signIn: async (claims, redirectTo) => {
      const query = new URLSearchParams({ provider: "google", ...(redirectTo && { redirect_to: redirectTo }) });
      const away = await browser.get(`/login?${query.toString()}`);
      google.claims = claims;
      const back = new URL(google.signIn(away.location.href));
      return browser.get(back.pathname + back.search);
    },
  };

  async function send(
    method: "GET" | "POST" | "OPTIONS",
    address: string,
    { headers, payload }: { headers: Record<string, string>; payload?: string | object },
  ): Promise<Answer> {
    const url = new URL(address, BASE);
    const response = await app.inject({
      method,
      url: url.pathname + url.search,
      headers: {
        host: "app.example.com",
        ...headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0 || value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return {
      status: response.statusCode,
      text: response.body,
      headers: response.headers as Answer["headers"],
      location: new URL(response.headers.location ?? "", url),
    };
  }
  return browser;
}

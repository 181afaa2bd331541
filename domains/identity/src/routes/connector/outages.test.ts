import { openDatabase } from "@svc/platform/db";
import { createServer, type Server } from "@svc/platform/http";
import { silentLogger } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnector } from "../../connector/open-connector.ts";
import type { DB } from "../../db-types.ts";
import {
  CALLBACK,
  type ConnectorFixture,
  createConnectorFixture,
  JWT_SECRET,
} from "../../testing/connector-fixture.ts";
import { connectorRoutes } from "./connector-routes.ts";

let fixture: ConnectorFixture;
/** The same while the database is away, and for an address that has asked for too many clients that are none. */
let stranded: Server;
let wary: Server;
let closeDatabase: () => Promise<void>;

beforeAll(async () => {
  fixture = await createConnectorFixture();
  const log = silentLogger();
  const { settings } = fixture.connector;
  const signIn = { baseUrl: fixture.appUrl };
  const away = openDatabase<DB>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log });
  closeDatabase = away.close;
  const context = { ...fixture.context, db: away.db };
  stranded = await createServer({ log, title: "stranded", failureLimit: false });
  const connector = openConnector({ context, settings, jwtSecret: JWT_SECRET });
  await stranded.register(connectorRoutes, { connector, signIn });
  wary = await createServer({ log, title: "wary", failureLimit: { failures: 1, perSeconds: 60 } });
  const good = openConnector({ context: fixture.context, settings, jwtSecret: JWT_SECRET });
  await wary.register(connectorRoutes, { connector: good, signIn });
  for (let n = 0; n < 3; n += 1) await wary.inject("/oauth/authorize?client_id=nobody");
});

afterAll(async () => {
  await Promise.all([stranded?.close(), wary?.close()]);
  await closeDatabase?.();
  await fixture?.close();
});

const form = { "content-type": "application/x-www-form-urlencoded" };

describe("agents", () => {
  const requests = [
    ["/oauth/register", { payload: { redirect_uris: [CALLBACK] } }],
    ["/oauth/token", { headers: form, payload: "grant_type=refresh_token&refresh_token=x&client_id=x" }],
    ["/oauth/revoke", { headers: form, payload: "token=x&client_id=x" }],
  ] as const;

  it.each(requests)("503 while the database is away: %s", async (url, options) => {
    const response = await stranded.inject({ method: "POST", url, ...options });
    expect([response.statusCode, response.json().error]).toEqual([503, "temporarily_unavailable"]);
    expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
  });

  it.each(requests)("429 for an address that has shown too much that is wrong: %s", async (url, options) => {
    const response = await wary.inject({ method: "POST", url, ...options });
    expect([response.statusCode, response.json().error]).toEqual([429, "temporarily_unavailable"]);
  });
});

describe("people", () => {
  it("503: a page while the database is away", async () => {
    const agent = await fixture.newRegisteredAgent();
    const { pathname, search } = new URL(agent.authorizeUrl());
    const response = await stranded.inject({ url: pathname + search });
    expect([response.statusCode, response.headers["content-type"]]).toEqual([503, "text/html; charset=utf-8"]);
    expect(response.body).toContain("We are not quite there");
  });

  it("503: a page at the question itself, too", async () => {
    const agent = await fixture.newRegisteredAgent();
    const browser = fixture.newBrowser();
    const { location } = await browser.get(agent.authorizeUrl());
    const cookies = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const response = await stranded.inject({ url: location?.pathname ?? "", headers: { cookie: cookies } });
    expect([response.statusCode, response.headers["retry-after"]]).toEqual([503, "60"]);
  });

  it("429: a page for an address that has shown too much that is wrong", async () => {
    const response = await wary.inject({ url: "/oauth/authorize?client_id=x" });
    expect([response.statusCode, response.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
  });
});

import { openDatabase } from "@svc/platform/db";
import { createServer, type Server } from "@svc/platform/http";
import { newId } from "@svc/platform/ids";
import { silentLogger } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DB } from "../db-types.ts";
import { identityOutbox } from "../index.ts";
import { type GuardedRoute, ROUTE_ACCESS } from "../permissions.ts";
import {
  createIdentityFixture,
  type IdentityFixture,
  OPERATOR_TOKEN,
  type TestOrg,
} from "../testing/identity-fixture.ts";
import { makeApiToken } from "../token-format.ts";
import { identityRoutes } from "./identity-routes.ts";

/** Answers that do not depend on what a route is for. Each route can give them, so each is tried. */
let fixture: IdentityFixture;
let org: TestOrg;
/** The same routes while the database is away, and for an address that has shown too many bad tokens. */
let stranded: Server;
let wary: Server;
let closeDatabase: () => Promise<void>;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  org = await fixture.createTestOrg("Every");
  const { context } = fixture;
  const shared = { outbox: identityOutbox, operatorToken: OPERATOR_TOKEN };
  const log = silentLogger();

  const away = openDatabase<DB>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log });
  closeDatabase = away.close;
  stranded = await createServer({ log, title: "stranded", failureLimit: false });
  await stranded.register(identityRoutes, { ...shared, context: { ...context, db: away.db } });

  wary = await createServer({ log, title: "wary", failureLimit: { failures: 1, perSeconds: 60 } });
  await wary.register(identityRoutes, { ...shared, context });
  for (let n = 0; n < 3; n += 1)
    await wary.inject({ url: "/api/v1/api-tokens", headers: { authorization: "Bearer bad" } });
});

afterAll(async () => {
  await Promise.all([stranded.close(), wary.close()]);
  await closeDatabase();
  await fixture.close();
});

/** What each route takes, so that a request gets as far as the database. */
const BODIES: Partial<Record<GuardedRoute, object>> = {
  "POST /api/v1/tokens/validate": { token: makeApiToken() },
  "POST /api/v1/orgs": { name: "New" },
  "PATCH /api/v1/orgs/:org": { name: "Renamed" },
  "PATCH /api/v1/orgs/:org/members/:member": { role: "viewer" },
  "POST /api/v1/orgs/:org/invitations": { email: "new@else.example", role: "viewer" },
  "POST /api/v1/api-tokens": { name: "new" },
  "POST /api/v1/admin/orgs": { name: "New" },
  "POST /api/v1/admin/orgs/:org/support-sessions": { staff: "a@b.example", reason: "because of it" },
};

const routes = Object.keys(ROUTE_ACCESS) as GuardedRoute[];
const withBody = Object.keys(BODIES) as GuardedRoute[];

async function send(app: Server, route: GuardedRoute, payload?: object | string, contentType = "application/json") {
  const [method, path = ""] = route.split(" ");
  const url = path
    .replace(":org", org.id)
    .replace(":member", newId("mem"))
    .replace(":invitation", newId("inv"))
    .replace(":token", newId("tok"))
    .replace(":grant", newId("grt"))
    .replace(":session", newId("sup"));
  const token = ROUTE_ACCESS[route] === "operator" ? OPERATOR_TOKEN : org.members.owner.token;
  const response = await app.inject({
    method: method as "POST",
    url,
    headers: { authorization: `Bearer ${token}`, ...(payload !== undefined && { "content-type": contentType }) },
    ...(payload !== undefined && { payload }),
  });
  return { status: response.statusCode, code: response.json().code, headers: response.headers };
}

describe("every route", () => {
  it.each(routes)("503 while the database is away: %s", async (route) => {
    const { status, code, headers } = await send(stranded, route, BODIES[route]);
    expect([status, code, headers["retry-after"]]).toEqual([503, "UNAVAILABLE", "1"]);
  });

  it.each(routes)("429 for an address that has shown too many bad tokens: %s", async (route) => {
    const { status, code, headers } = await send(wary, route, BODIES[route]);
    expect([status, code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("every route that takes a body", () => {
  it.each(withBody)("413 for one that is too large: %s", async (route) => {
    const { status, code } = await send(fixture.app, route, { name: "x".repeat(300_000) });
    expect([status, code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  it.each(withBody)("415 for another kind of body: %s", async (route) => {
    const { status, code } = await send(fixture.app, route, "<name/>", "text/xml");
    expect([status, code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  it.each(withBody)("400 for one that is no JSON, is empty or has a field too many: %s", async (route) => {
    for (const payload of ["{", "", { ...BODIES[route], surplus: true }]) {
      expect((await send(fixture.app, route, payload)).status).toBe(400);
    }
  });
});

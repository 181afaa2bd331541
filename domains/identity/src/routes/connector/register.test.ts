import { sql } from "kysely";
import { fetch } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteExpiredAccess } from "../../connector/delete-expired.ts";
import { addClient, disableClient } from "../../connector/manage-clients.ts";
import { type ConnectorFixture, createConnectorFixture } from "../../testing/connector-fixture.ts";
import type { TestOrg } from "../../testing/identity-fixture.ts";

let fixture: ConnectorFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createConnectorFixture();
  org = await fixture.createTestOrg("Register");
});

afterAll(() => fixture?.close());
beforeEach(async () => {
  await sql`truncate identity.platform_oauth_clients, identity.platform_access_grants cascade`.execute(db());
});

const db = () => fixture.context.db;
const at = (origin: string, name = "agent"): object => ({ client_name: name, redirect_uris: [`${origin}/cb`] });
const count = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from identity.platform_oauth_clients`.execute(
    db(),
  );
  return rows[0]?.n ?? -1;
};
const age = (interval: string) =>
  sql`update identity.platform_oauth_clients set registered_at = registered_at - ${interval}::interval,
    expires_at = expires_at - ${interval}::interval`.execute(db());

async function registerMany(bodies: object[]): Promise<number[]> {
  return Promise.all(bodies.map(async (body) => (await fixture.register(body)).status));
}

describe("POST /oauth/register", () => {
  it("201: a public client without a secret, whatever it asked to be", async () => {
    const { status, body } = await fixture.register({
      ...at("https://one.example"),
      token_endpoint_auth_method: "client_secret_basic",
      scope: "anything at all",
      client_id: "mine",
      client_secret: "mine",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_id: expect.stringMatching(/^dyn_[\w-]{32}$/),
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: ["https://one.example/cb"],
    });
    expect(body).not.toHaveProperty("client_secret");
  });

  it("201: the same client for the same metadata, in any order, and for another port of the same machine", async () => {
    const first = { client_name: "Same", redirect_uris: ["https://a.example/1", "http://127.0.0.1:1111/cb"] };
    const again = { redirect_uris: ["http://127.0.0.1:2222/cb", "https://a.example/1"], client_name: "Same" };
    const [one, other] = [await fixture.register(first), await fixture.register(again)];
    expect(other.body.client_id).toBe(one.body.client_id);
    expect(other.body.redirect_uris).toEqual(again.redirect_uris);
    expect(await count()).toBe(1);
    expect((await fixture.register({ ...first, client_name: "Other" })).body.client_id).not.toBe(one.body.client_id);
  });

  it("201: a browser of any origin may ask, and asks first", async () => {
    const preflight = await fetch(`${fixture.issuer}/oauth/register`, {
      method: "OPTIONS",
      headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    const { headers } = await fixture.register(at("https://cors.example"));
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  it.each([
    ["http elsewhere", ["http://evil.example/cb"]],
    ["a fragment", ["https://a.example/cb#x"]],
    ["a wildcard", ["https://*.example/cb"]],
    ["a name", ["https://user@a.example/cb"]],
    ["another scheme", ["cursor://cb"]],
    ["a bad one among good ones", ["https://a.example/cb", "http://evil.example/cb"]],
    ["none", []],
    ["too many", Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`)],
    ["no list", "https://a.example/cb"],
    ["no strings", [{}]],
  ])("400: invalid_redirect_uri for %s", async (_what, redirectUris) => {
    const { status, body } = await fixture.register({ client_name: "x", redirect_uris: redirectUris });
    expect([status, body.error, await count()]).toEqual([400, "invalid_redirect_uri", 0]);
    expect(body.error_description).toMatch(/\w/);
  });

  it.each([
    ["another grant type", { ...at("https://a.example"), grant_types: ["client_credentials"] }],
    ["another response type", { ...at("https://a.example"), response_types: ["token"] }],
    ["a list", []],
  ])("400: invalid_client_metadata for %s", async (_what, metadata) => {
    expect(await fixture.register(metadata)).toMatchObject({ status: 400, body: { error: "invalid_client_metadata" } });
  });

  it("400 and 413: in OAuth's own shape for what is no JSON, of another kind, or too large", async () => {
    const send = async (body: string, type = "application/json") => {
      const headers = { "content-type": type };
      const response = await fetch(`${fixture.issuer}/oauth/register`, { method: "POST", headers, body });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await send("{")).toEqual([400, "invalid_request"]);
    expect(await send("<x/>", "text/xml")).toEqual([400, "invalid_request"]);
    expect(await send("{}", "application/x-www-form-urlencoded")).toEqual([400, "invalid_client_metadata"]);
    expect(await send(JSON.stringify({ x: "x".repeat(300_000) }))).toEqual([413, "invalid_request"]);
  });

  it("403: a client that was blocked stays blocked, however often it registers", async () => {
    const { body } = await fixture.register(at("https://blocked.example"));
    await disableClient(fixture.context, body.client_id);
    await age("40 days");
    await deleteExpiredAccess(db());
    const again = await fixture.register(at("https://blocked.example"));
    expect([again.status, again.body.error]).toEqual([403, "access_denied"]);
  });
});

describe("how many may register", () => {
  it("exactly 5 of 20 that come at once for one origin", async () => {
    const statuses = await registerMany(Array.from({ length: 20 }, (_, n) => at("https://flood.example", `n${n}`)));
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    expect(await count()).toBe(5);
    expect((await fixture.register(at("https://other.example"))).status).toBe(201);
  });

  it("all of 20 that come at once and are the same", async () => {
    const statuses = await registerMany(Array.from({ length: 20 }, () => at("https://same.example")));
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(await count()).toBe(1);
  });

  it("5 for each origin that one of them redirects to", async () => {
    const both = (n: number) => ({
      client_name: `n${n}`,
      redirect_uris: ["https://x.example/a", `https://y${n}.example/b`],
    });
    expect(await registerMany([1, 2, 3, 4, 5].map(both))).toEqual([201, 201, 201, 201, 201]);
    const { status, body, headers } = await fixture.register(at("https://x.example", "sixth"));
    expect([status, body.error]).toEqual([429, "too_many_clients"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("100 in all, of which the 101st is refused even when 20 come at once", async () => {
    await sql`insert into identity.platform_oauth_clients (client_id, kind, expires_at, origins)
      select 'dyn_' || n, 'dynamic', now() + interval '30 days', array['https://o' || n || '.example']
      from generate_series(1, 90) as n`.execute(db());
    const statuses = await registerMany(Array.from({ length: 20 }, (_, n) => at(`https://new${n}.example`)));
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(await count()).toBe(100);
  });

  it("does not count those that nobody has connected within the hour, nor those of an operator", async () => {
    for (let n = 0; n < 7; n += 1) {
      await addClient(db(), { name: `pre ${n}`, redirectUris: ["https://busy.example/cb"] });
    }
    await registerMany([1, 2, 3, 4, 5].map((n) => at("https://busy.example", `n${n}`)));
    expect((await fixture.register(at("https://busy.example", "sixth"))).status).toBe(429);
    await age("61 minutes");
    expect((await fixture.register(at("https://busy.example", "sixth"))).status).toBe(201);
  });

  it("counts those that somebody has connected, however old, and lets them register again", async () => {
    const { email } = org.members.viewer;
    const bodies = [1, 2, 3, 4, 5].map((n) => at("https://used.example", `n${n}`));
    for (const body of bodies) {
      const { client_id } = (await fixture.register(body)).body;
      await fixture.connect(fixture.newAgent(client_id, "https://used.example/cb"), email);
    }
    await age("2 hours");
    expect((await fixture.register(at("https://used.example", "sixth"))).status).toBe(429);
    expect((await fixture.register(bodies[0] ?? {})).status).toBe(201);
  });
});

describe("how long a registration lives", () => {
  it("30 days from the last time, and then it can neither ask nor renew", async () => {
    const metadata = at("https://aging.example");
    const agent = fixture.newAgent((await fixture.register(metadata)).body.client_id, "https://aging.example/cb");
    const { refresh_token } = await fixture.connect(agent, org.members.viewer.email);
    await age("29 days 23 hours");
    expect((await fixture.newBrowser().get(agent.authorizeUrl())).status).toBe(303);
    await age("2 hours");
    expect((await fixture.newBrowser().get(agent.authorizeUrl())).status).toBe(400);
    expect((await agent.refresh(refresh_token)).body.error).toBe("invalid_client");
    await fixture.register(metadata);
    expect((await fixture.newBrowser().get(agent.authorizeUrl())).status).toBe(303);
    expect((await agent.refresh(refresh_token)).status).toBe(200);
  });

  it("is over for good once it was cleared away, while those of an operator stay", async () => {
    const pre = await addClient(db(), { name: "pre", redirectUris: ["https://pre.example/cb"] });
    await fixture.register(at("https://gone.example"));
    await age("31 days");
    await deleteExpiredAccess(db());
    const { rows } = await sql<{ client_id: string }>`select client_id from identity.platform_oauth_clients`.execute(
      db(),
    );
    expect(rows.map(({ client_id }) => client_id)).toEqual([pre.client_id]);
    const agent = fixture.newAgent(pre.client_id, "https://pre.example/cb");
    expect((await fixture.newBrowser().get(agent.authorizeUrl())).status).toBe(303);
  });
});

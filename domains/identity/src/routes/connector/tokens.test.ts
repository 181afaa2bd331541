import { randomBytes } from "node:crypto";
import { uuidOf } from "@svc/platform/ids";
import { waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import { fetch } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteArtifactsOfGrant } from "../../connector/artifact-queries.ts";
import { deleteExpiredAccess } from "../../connector/delete-expired.ts";
import { markGrantRevoked } from "../../connector/grant-queries.ts";
import { addClient } from "../../connector/manage-clients.ts";
import { type Connector, openConnector } from "../../connector/open-connector.ts";
import type { ProviderAnswer } from "../../connector/run-provider.ts";
import { deleteMember, insertMember } from "../../queries/members.ts";
import {
  CALLBACK,
  type ConnectorFixture,
  createConnectorFixture,
  type TestAgent,
} from "../../testing/connector-fixture.ts";
import type { TestOrg } from "../../testing/identity-fixture.ts";
import { deriveTokenKeys } from "../../token-keys.ts";

let fixture: ConnectorFixture;
let org: TestOrg;
let email: string;

beforeAll(async () => {
  fixture = await createConnectorFixture({ clientLimits: { inAll: 1_000, perOrigin: 1_000 } });
  org = await fixture.createTestOrg("Tokens");
  email = org.members.developer.email;
});

afterAll(() => fixture?.close());

const db = () => fixture.context.db;
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
/** As if all that was used up had been so for longer than the grace. */
const letGracePass = () =>
  sql`update identity.connector_artifacts set consumed_at = consumed_at - interval '31 seconds'`.execute(db());

async function reasonOf(grantId: string): Promise<string | undefined> {
  const { rows } = await sql<{ details: { reason?: string } }>`
    select details from identity.audit where action = 'grant.revoked' and target_id = ${grantId}`.execute(db());
  return rows[0]?.details.reason;
}

async function askAndAllow(agent: TestAgent): Promise<URL> {
  const browser = fixture.newBrowser();
  const page = await fixture.ask(browser, email, agent.authorizeUrl());
  return page.location ?? fixture.decide(browser, page);
}

const askForTokens = (of: Connector, form: Record<string, string>): Promise<ProviderAnswer> =>
  of.answer({
    method: "POST",
    url: "/oauth/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });

describe("an authorization code", () => {
  it("used twice ends the grant, and what it gave is worth nothing any more", async () => {
    const agent = await fixture.newRegisteredAgent();
    const back = await askAndAllow(agent);
    const { body } = await agent.redeem(back);
    const replayed = await agent.redeem(back);
    expect([replayed.status, replayed.body.error]).toEqual([400, "invalid_grant"]);
    expect((await agent.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    expect(await reasonOf(claimsOf(body.access_token).grant_id)).toBe("an authorization code was used twice");
    expect(fixture.published.length).toBeGreaterThan(0);
  });

  it("used eight times at once gives tokens once at most, and no grant is left", async () => {
    const agent = await fixture.newRegisteredAgent();
    const back = await askAndAllow(agent);
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.redeem(back)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const { body } of good) expect((await agent.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    const { rows } = await sql`select from identity.platform_access_grants
      where client_id = ${agent.clientId} and revoked_at is null`.execute(db());
    expect(rows).toHaveLength(0);
  });

  it.each([
    ["another verifier", { code_verifier: "v".repeat(43) }],
    ["no verifier", { code_verifier: undefined }],
    ["another redirect URI", { redirect_uri: "https://agent.example.com/other" }],
    ["no redirect URI", { redirect_uri: undefined }],
    ["another resource", { resource: "https://other.example" }],
    ["another code", { code: "x".repeat(43) }],
  ])("with %s is refused, and is good all the same afterwards", async (_what, change) => {
    const agent = await fixture.newRegisteredAgent();
    const back = await askAndAllow(agent);
    expect((await agent.redeem(back, change)).status).toBe(400);
    expect((await agent.redeem(back)).status).toBe(200);
  });

  it("of another client is refused", async () => {
    const [agent, thief] = [await fixture.newRegisteredAgent(), await fixture.newRegisteredAgent()];
    const back = await askAndAllow(agent);
    expect((await agent.redeem(back, { client_id: thief.clientId })).body.error).toBe("invalid_grant");
  });

  it("is good for 60 seconds", async () => {
    const agent = await fixture.newRegisteredAgent();
    const back = await askAndAllow(agent);
    const older = (seconds: number) =>
      sql`update identity.connector_artifacts set payload = jsonb_set(payload, '{exp}',
        to_jsonb((payload->>'exp')::int - ${seconds}::int)) where model = 'AuthorizationCode'`.execute(db());
    await older(50);
    expect((await agent.redeem(back, { code_verifier: "v".repeat(43) })).body.error).toBe("invalid_grant");
    await older(11);
    expect((await agent.redeem(back)).body.error).toBe("invalid_grant");
  });
});

describe("a refresh token", () => {
  it("is replaced at each use and lives 30 days from then", async () => {
    const agent = await fixture.newRegisteredAgent();
    const first = await fixture.connect(agent, email);
    const { body: second } = await agent.refresh(first.refresh_token);
    const { body: third } = await agent.refresh(second.refresh_token);
    expect(new Set([first, second, third].map((tokens) => tokens.refresh_token)).size).toBe(3);
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from expires_at - now()) / 86400 as days from identity.platform_access_grants
      where client_id = ${agent.clientId}`.execute(db());
    expect(Number(rows[0]?.days)).toBeCloseTo(30, 1);
  });

  it("sent six times at once is good each time, and all that it gave goes on", async () => {
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token } = await fixture.connect(agent, email);
    const answers = await Promise.all(Array.from({ length: 6 }, () => agent.refresh(refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const next = await Promise.all(answers.map(({ body }) => agent.refresh(body.refresh_token)));
    expect(next.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it("used again after the grace ends the whole family and the grant", async () => {
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token, access_token } = await fixture.connect(agent, email);
    const { body: renewed } = await agent.refresh(refresh_token);
    expect((await agent.refresh(refresh_token)).status).toBe(200);
    await letGracePass();
    expect((await agent.refresh(refresh_token)).body.error).toBe("invalid_grant");
    expect((await agent.refresh(renewed.refresh_token)).body.error).toBe("invalid_grant");
    expect(await reasonOf(claimsOf(access_token).grant_id)).toBe("a refresh token was used twice");
  });

  it.each([
    ["another resource", { resource: "https://other.example" }],
    ["a wider scope", { scope: "data:read notifications:write" }],
    ["a scope that is none", { scope: 'da"ta' }],
    ["another client", { client_id: "dyn_unknown" }],
    ["no grant type", { grant_type: undefined }],
  ])("is not spent by a request that fails, with %s", async (_what, change) => {
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token } = await fixture.connect(agent, email);
    expect((await agent.refresh(refresh_token, change)).status).toBeGreaterThanOrEqual(400);
    await letGracePass();
    const { status, body } = await agent.refresh(refresh_token);
    expect([status, body.scope]).toEqual([200, "data:read"]);
  });

  it("is not spent by a request that is refused only after it was spent", async () => {
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token } = await fixture.connect(agent, email);
    const form = { grant_type: "refresh_token", refresh_token, client_id: agent.clientId };
    // Past the look at the resource that comes before the library's own.
    const { status } = await askForTokens(fixture.connector, { ...form, resource: "https://other.example" });
    expect(status).toBe(400);
    await letGracePass();
    expect((await agent.refresh(refresh_token)).status).toBe(200);
  });

  it("of a person who left the organization is refused, and stays so when they come back", async () => {
    const { userId, memberId } = org.members.member;
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token } = await fixture.connect(agent, org.members.member.email);
    await deleteMember(db(), org.id, memberId);
    expect((await agent.refresh(refresh_token)).body.error).toBe("invalid_grant");
    await insertMember(db(), org.id, userId, "member");
    expect((await agent.refresh(refresh_token)).body.error).toBe("invalid_grant");
  });

  it("is not spent when the database goes away half way", async () => {
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token } = await fixture.connect(agent, email);
    await sql`create function identity.fail() returns trigger language plpgsql as 'begin raise exception ''away''; end'`.execute(
      db(),
    );
    await sql`create trigger fail before insert on identity.connector_artifacts
      for each row when (new.model = 'RefreshToken') execute function identity.fail()`.execute(db());
    const failed = await agent.refresh(refresh_token);
    await sql`drop function identity.fail cascade`.execute(db());
    expect([failed.status, failed.body.error]).toEqual([500, "server_error"]);
    await letGracePass();
    expect((await agent.refresh(refresh_token)).status).toBe(200);
  });

  it("is refused while the agent is being disconnected, and does not keep that from happening", async () => {
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token, access_token } = await fixture.connect(agent, email);
    const grantId = claimsOf(access_token).grant_id;
    const disconnecting = await db().startTransaction().execute();
    await markGrantRevoked(disconnecting, grantId);
    const renewing = agent.refresh(refresh_token);
    await waitUntil(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db());
      return rows.length === 1;
    });
    await deleteArtifactsOfGrant(disconnecting, grantId);
    await disconnecting.commit().execute();
    const { status, body } = await renewing;
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
    const { rows } = await sql`select from identity.connector_artifacts
      where grant_id = ${uuidOf(grantId)}`.execute(db());
    expect(rows).toHaveLength(0);
  });

  it("of somebody else's client is refused", async () => {
    const [agent, thief] = [await fixture.newRegisteredAgent(), await fixture.newRegisteredAgent()];
    const { refresh_token } = await fixture.connect(agent, email);
    expect((await thief.refresh(refresh_token)).body.error).toBe("invalid_grant");
    const taken = { token: refresh_token, client_id: thief.clientId };
    expect((await fixture.sendForm("/oauth/revoke", taken)).status).toBe(200);
    expect((await agent.refresh(refresh_token)).status).toBe(200);
  });

  it.each(["preregistered", "dynamic"])("of a client that an operator disabled is refused: %s", async (kind) => {
    const added = await addClient(db(), { name: "Added", redirectUris: [CALLBACK] });
    const agent = kind === "dynamic" ? await fixture.newRegisteredAgent() : fixture.newAgent(added.client_id);
    const { refresh_token } = await fixture.connect(agent, email);
    await sql`update identity.platform_oauth_clients set is_active = false
      where client_id = ${agent.clientId}`.execute(db());
    expect((await agent.refresh(refresh_token)).body.error).toBe("invalid_client");
    expect((await fixture.newBrowser().get(agent.authorizeUrl())).status).toBe(400);
  });

  it.each(["jwtSecret", "signingKey"] as const)("is worth nothing after the %s was changed", async (which) => {
    const agent = await fixture.newRegisteredAgent();
    const { refresh_token } = await fixture.connect(agent, email);
    const secrets = { ...fixture.secrets };
    secrets[which] = randomBytes(32).toString("hex");
    const context = { ...fixture.context, keys: deriveTokenKeys(secrets.jwtSecret, secrets.signingKey) };
    const { settings } = fixture.connector;
    const changed = openConnector({ context, settings, jwtSecret: secrets.jwtSecret });
    const form = { grant_type: "refresh_token", refresh_token, client_id: agent.clientId };
    const { status, body } = await askForTokens(changed, form);
    await changed.close();
    expect([status, body]).toMatchObject([400, { error: "invalid_grant" }]);
    expect((await agent.refresh(refresh_token)).status).toBe(200);
  });

  it("may ask for less than was allowed", async () => {
    const agent = await fixture.newRegisteredAgent();
    const browser = fixture.newBrowser();
    const url = agent.authorizeUrl({ scope: "data:read notifications:write" });
    const back = await fixture.decide(browser, await fixture.ask(browser, email, url));
    const { body } = await agent.redeem(back);
    const less = await agent.refresh(body.refresh_token, { scope: "data:read" });
    expect([body.scope, less.body.scope]).toEqual(["data:read notifications:write", "data:read"]);
    expect(claimsOf(less.body.access_token).scope).toBe("data:read");
  });

  it("is over once it was cleared away, and the housekeeping leaves the good ones", async () => {
    const [old, fresh] = [await fixture.newRegisteredAgent(), await fixture.newRegisteredAgent()];
    const [gone, kept] = [await fixture.connect(old, email), await fixture.connect(fresh, email)];
    await sql`update identity.connector_artifacts set expires_at = now() - interval '2 hours' where grant_id in
      (select id from identity.platform_access_grants where client_id = ${old.clientId})`.execute(db());
    await sql`update identity.platform_access_grants set expires_at = now() - interval '31 days'
      where client_id = ${old.clientId}`.execute(db());
    await deleteExpiredAccess(db());
    const { rows } = await sql`select from identity.platform_access_grants where client_id = ${old.clientId}`.execute(
      db(),
    );
    expect(rows).toHaveLength(0);
    expect((await old.refresh(gone.refresh_token)).body.error).toBe("invalid_grant");
    expect((await fresh.refresh(kept.refresh_token)).status).toBe(200);
  });
});

describe("POST /oauth/token", () => {
  it("answers pages of every origin, without their cookies", async () => {
    const preflight = await fetch(`${fixture.issuer}/oauth/token`, {
      method: "OPTIONS",
      headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    const headers = { origin: "http://localhost:6274" };
    const answer = await fetch(`${fixture.issuer}/oauth/token`, {
      method: "POST",
      headers,
      body: new URLSearchParams(),
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it.each([
    ["another kind of body", "application/json", "{}"],
    ["no body", undefined, undefined],
    ["a body that is none", "application/x-www-form-urlencoded", "%%%&&==&=x"],
    ["a body that is too large", "application/x-www-form-urlencoded", `code=${"x".repeat(60_000)}`],
    ["a grant type that is none of ours", "application/x-www-form-urlencoded", "grant_type=password&client_id=x"],
  ])("answers %s in OAuth's own shape", async (_what, type, body) => {
    const headers = { ...(type && { "content-type": type }) };
    const response = await fetch(`${fixture.issuer}/oauth/token`, { method: "POST", headers, ...(body && { body }) });
    expect([400, 401, 413]).toContain(response.status);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^\w+$/) });
  });
});

it.each(["/oauth/token", "/oauth/revoke"])(
  "%s answers a client id that no database takes as an unknown one",
  async (path) => {
    const { status, body } = await fixture.sendForm(path, {
      grant_type: "refresh_token",
      token: "x",
      client_id: "a\0b",
    });
    expect([status, body.error]).toEqual([401, "invalid_client"]);
  },
);

describe("POST /oauth/revoke", () => {
  it("200: for a token that is unknown or was revoked before", async () => {
    const agent = await fixture.newRegisteredAgent();
    const form = { token: "unknown", client_id: agent.clientId };
    expect((await fixture.sendForm("/oauth/revoke", form)).status).toBe(200);
  });

  it("400: for an access token, which ends by itself", async () => {
    const agent = await fixture.newRegisteredAgent();
    const { access_token } = await fixture.connect(agent, email);
    const form = { token: access_token, client_id: agent.clientId };
    expect((await fixture.sendForm("/oauth/revoke", form)).body.error).toBe("unsupported_token_type");
  });
});

import { randomBytes } from "node:crypto";
import type { Id } from "@svc/contract";
import { openCache } from "@svc/platform/cache";
import { type Actor, signActorAssertion } from "@svc/platform/http";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import { servicesUnderTest, silentLogger, waitUntil } from "@svc/platform/testing";
import { SignJWT } from "jose";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IdentityContext } from "../context.ts";
import { deleteMember, updateMemberRole } from "../queries/members.ts";
import {
  ACTOR_ASSERTION_SECRET,
  type ConnectorFixture,
  createConnectorFixture,
  JWT_SECRET,
} from "../testing/connector-fixture.ts";
import { NOWHERE, type TestOrg } from "../testing/identity-fixture.ts";
import { deriveTokenKeys } from "../token-keys.ts";
import { validateToken } from "../validate-token.ts";
import { createGrant } from "./grants.ts";
import { disableClient } from "./manage-clients.ts";

const CLIENT = "https://agent.example.com/client.json";
let fixture: ConnectorFixture;
let org: TestOrg;
let actor: Actor;

beforeAll(async () => {
  fixture = await createConnectorFixture();
});

afterAll(() => fixture?.close());

beforeEach(async () => {
  org = await fixture.createTestOrg("Actor");
  actor = await newActor(org, "developer");
});

async function newActor(of: TestOrg, role: "developer" | "viewer"): Promise<Actor> {
  const { userId, email } = of.members[role];
  const scopes = ["data:read", "apps:read"];
  const approved = { userId, orgId: of.id, clientId: CLIENT, clientHash: "h", resource: "r", scopes, email };
  const shown = { clientName: "Agent", redirectUri: "https://agent.example.com/cb" };
  const grantId = await createGrant(fixture.context, { ...approved, ...shown }, NOWHERE);
  return { userId, orgId: of.id, clientId: CLIENT, grantId, scopes };
}

const assertionFor = (of: Actor = actor): Promise<string> => signActorAssertion(ACTOR_ASSERTION_SECRET, of);
const validate = async (assertion: string, context: IdentityContext = fixture.context) =>
  validateToken(context, assertion);
const REFUSED = { valid: false, reason: "Invalid or expired API token" };

/** An assertion as the MCP server would make it, save for what is changed. */
async function forged({
  secret = ACTOR_ASSERTION_SECRET,
  audience = "auth-service" as string | string[],
  issuer = "mcp-server",
  type = "svc-actor+jwt",
  age = 0,
  lives = 60,
  claims = {},
}): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1_000) - age;
  const { orgId: orgOf, clientId, grantId, scopes, userId } = actor;
  return new SignJWT({ org: orgOf, client_id: clientId, grant_id: grantId, scopes, ...claims })
    .setProtectedHeader({ alg: "HS256", typ: type })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(userId)
    .setJti(randomBytes(8).toString("hex"))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lives)
    .sign(Buffer.from(secret, "hex"));
}

describe("an assertion for an agent", () => {
  it("stands for the person, in the grant's organization, with the role they have now", async () => {
    expect(await validate(await assertionFor())).toMatchObject({
      valid: true,
      kind: "actor",
      user: { id: actor.userId, email: org.members.developer.email },
      org: { id: org.id, slug: org.slug },
      role: "developer",
      scopes: ["data:read", "apps:read"],
      client_id: CLIENT,
      grant_id: actor.grantId,
      cache_seconds: 0,
    });
    await updateMemberRole(fixture.context.db, org.id, org.members.developer.memberId, "viewer");
    expect(await validate(await assertionFor())).toMatchObject({ valid: true, role: "viewer" });
  });

  it("gives no scope that the person did not allow", async () => {
    const greedy = await assertionFor({ ...actor, scopes: ["data:read", "notifications:write", "made:up"] });
    expect(await validate(greedy)).toMatchObject({ valid: true, scopes: ["data:read"] });
  });

  it.each([
    ["older than 60 seconds", { age: 66 }],
    ["older than 60 seconds, that says it lives longer", { age: 66, lives: 3_600 }],
    ["for another audience", { audience: "api-gateway" }],
    ["for several audiences", { audience: ["auth-service", "api-gateway"] }],
    ["of another issuer", { issuer: "api-gateway" }],
    ["of another type", { type: "svc-service+jwt" }],
    ["signed with the other secret", { secret: JWT_SECRET }],
    ["signed with another secret", { secret: randomBytes(32).toString("hex") }],
    ["without a grant", { claims: { grant_id: undefined } }],
    ["with scopes that are none", { claims: { scopes: "data:read" } }],
  ])("%s is refused", async (_what, change) => {
    expect(await validate(await forged(change))).toEqual(REFUSED);
    expect(await validate(await forged({}))).toMatchObject({ valid: true });
  });

  it.each([
    ["person", (): Partial<Actor> => ({ userId: org.members.owner.userId })],
    ["organization", (): Partial<Actor> => ({ orgId: newId("org") })],
    ["client", (): Partial<Actor> => ({ clientId: "https://other.example.com/client.json" })],
    ["grant", (): Partial<Actor> => ({ grantId: newId("grt") })],
  ])("that names another %s than the grant is refused", async (_what, change) => {
    expect(await validate(await assertionFor({ ...actor, ...change() }))).toEqual(REFUSED);
  });

  it("is good for one organization and never for the other that the person is in", async () => {
    const other = await fixture.createTestOrg("Other");
    await sql`insert into identity.memberships (org_id, user_id, id, role)
      values (${uuidOf(other.id)}, ${uuidOf(actor.userId)}, gen_random_uuid(), 'owner')`.execute(fixture.context.db);
    expect(await validate(await assertionFor({ ...actor, orgId: other.id }))).toEqual(REFUSED);
    expect(await validate(await assertionFor())).toMatchObject({ valid: true, org: { id: org.id }, role: "developer" });
  });

  it("is nothing where no secret is set, and an agent's own token is never taken", async () => {
    const { actorAssertionSecret: _none, ...without } = fixture.context;
    expect(await validate(await assertionFor(), without)).toEqual(REFUSED);
    const agent = await fixture.newRegisteredAgent();
    const { access_token } = await fixture.connect(agent, org.members.viewer.email);
    expect(await validate(access_token)).toEqual(REFUSED);
    const { status } = await fixture.call("GET", "/api/v1/grants", access_token);
    expect(status).toBe(401);
  });

  it("lets an agent do nothing in identity itself", async () => {
    expect((await fixture.call("GET", "/api/v1/grants", await assertionFor())).status).toBe(403);
    expect((await fixture.call("GET", `/api/v1/orgs/${org.id}`, await assertionFor())).status).toBe(403);
  });
});

describe("an assertion that comes twice", () => {
  it("is refused, by this process alone where there is no store", async () => {
    const assertion = await assertionFor();
    expect(await validate(assertion)).toMatchObject({ valid: true });
    expect(await validate(assertion)).toEqual(REFUSED);
  });

  it("is refused by every process that shares the store, and sent ten times at once is good once", async () => {
    const cache = openCache(servicesUnderTest().redisUrl, silentLogger());
    await waitUntil(() => cache.state() === "up");
    const claims: unknown[] = [];
    const shared: IdentityContext = {
      ...fixture.context,
      cache: { ...cache, runScript: async (...args) => claims.push(await cache.runScript(...args)) && claims.at(-1) },
    };
    const assertion = await assertionFor();
    const answers = await Promise.all(Array.from({ length: 10 }, () => validate(assertion, shared)));
    expect(answers.filter(({ valid }) => valid)).toHaveLength(1);
    expect(claims).toEqual([1]);
    // What another process has seen is not in this one's memory: only the store can tell.
    const elsewhere = await assertionFor();
    const id = JSON.parse(Buffer.from(elsewhere.split(".")[1] ?? "", "base64url").toString()).jti as string;
    const theirs = `return redis.call("set", KEYS[1], "1", "NX", "PX", 60000)`;
    expect(await cache.runScript(theirs, [`svc:assertion:${id}`], [])).toBe("OK");
    expect(await validate(elsewhere, shared)).toEqual(REFUSED);
    await cache.close();
  });
});

describe("the very next assertion is refused", () => {
  it("after the person disconnects the agent", async () => {
    expect(await validate(await assertionFor())).toMatchObject({ valid: true });
    const { token } = org.members.developer;
    expect((await fixture.call("DELETE", `/api/v1/grants/${actor.grantId}`, token)).status).toBe(204);
    expect(await validate(await assertionFor())).toEqual(REFUSED);
  });

  it("after the grant's row was marked or removed by hand", async () => {
    const other = await newActor(org, "viewer");
    const { db } = fixture.context;
    await sql`update identity.platform_access_grants set revoked_at = now() where id = ${uuidOf(actor.grantId)}`.execute(
      db,
    );
    await sql`delete from identity.platform_access_grants where id = ${uuidOf(other.grantId)}`.execute(db);
    expect(await validate(await assertionFor())).toEqual(REFUSED);
    expect(await validate(await assertionFor(other))).toEqual(REFUSED);
  });

  it("after the person left the organization, and stays refused when they come back", async () => {
    const { memberId } = org.members.developer;
    await deleteMember(fixture.context.db, org.id, memberId);
    expect(await validate(await assertionFor())).toEqual(REFUSED);
    await sql`insert into identity.memberships (org_id, user_id, id, role)
      values (${uuidOf(org.id)}, ${uuidOf(actor.userId)}, gen_random_uuid(), 'viewer')`.execute(fixture.context.db);
    expect(await validate(await assertionFor())).toEqual(REFUSED);
  });

  it("after the client was blocked", async () => {
    await disableClient(fixture.context, CLIENT);
    expect(await validate(await assertionFor())).toEqual(REFUSED);
    await sql`delete from identity.platform_oauth_clients where client_id = ${CLIENT}`.execute(fixture.context.db);
    expect(await validate(await assertionFor())).toEqual(REFUSED);
  });

  it("after the grant has run out", async () => {
    await sql`update identity.platform_access_grants set expires_at = now() where id = ${uuidOf(actor.grantId)}`.execute(
      fixture.context.db,
    );
    expect(await validate(await assertionFor())).toEqual(REFUSED);
  });

  it.each(["the JWT secret", "the signing key"])("after %s was changed", async (which) => {
    const secrets = [randomBytes(32), randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString("hex"));
    const [jwtSecret = "", signingKey = "", changed = ""] = secrets;
    const before = { ...fixture.context, keys: deriveTokenKeys(jwtSecret, signingKey) };
    const keys =
      which === "the JWT secret" ? deriveTokenKeys(changed, signingKey) : deriveTokenKeys(jwtSecret, changed);
    await sql`update identity.platform_access_grants set secrets_fingerprint = ${before.keys.fingerprint}
      where id = ${uuidOf(actor.grantId)}`.execute(fixture.context.db);
    expect(await validate(await assertionFor(), before)).toMatchObject({ valid: true });
    expect(await validate(await assertionFor(), { ...before, keys })).toEqual(REFUSED);
  });
});

describe("when an agent was last used", () => {
  it("is noted, and at most once a minute", async () => {
    const lastUsed = async (id: Id<"grt">): Promise<Date | null> => {
      const { rows } = await sql<{ id: string; last_used_at: Date | null }>`
        select id, last_used_at from identity.platform_access_grants`.execute(fixture.context.db);
      return rows.find((row) => idFromUuid("grt", row.id) === id)?.last_used_at ?? null;
    };
    await validate(await assertionFor());
    await waitUntil(async () => (await lastUsed(actor.grantId)) !== null);
    const first = await lastUsed(actor.grantId);
    for (let n = 0; n < 5; n += 1) await validate(await assertionFor());
    expect(await lastUsed(actor.grantId)).toEqual(first);
  });
});

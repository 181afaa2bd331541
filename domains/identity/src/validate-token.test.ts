import type { Id } from "@svc/contract";
import { openCache } from "@svc/platform/cache";
import { newId, uuidOf } from "@svc/platform/ids";
import { createMigratedDatabase, servicesUnderTest, silentLogger } from "@svc/platform/testing";
import { type KyselyPlugin, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiToken } from "./api-tokens.ts";
import { BY_RULE, type IdentityContext } from "./context.ts";
import { createOrgAsOperator } from "./create-org.ts";
import { identityMigrations } from "./index.ts";
import { makeApiToken } from "./token-format.ts";
import { deriveTokenKeys } from "./token-keys.ts";
import { validateToken } from "./validate-token.ts";

const REFUSED = { valid: false, reason: "Invalid or expired API token" };
const ORIGIN = { address: null, userAgent: null };
const keys = deriveTokenKeys("1".repeat(64), "2".repeat(64));
const cache = openCache(servicesUnderTest().redisUrl, silentLogger());
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let context: IdentityContext;
let orgId: Id<"org">;
let userId: Id<"usr">;

beforeAll(async () => {
  database = await createMigratedDatabase([identityMigrations]);
  context = { db: database.db, keys, cache };
});
afterAll(async () => {
  await cache.close();
  await database.drop();
});
beforeEach(async () => {
  await sql`truncate identity.orgs, identity.users cascade`.execute(database.db);
  const wanted = { name: "Acme", admin_email: "Ada@example.com", admin_name: "Ada" };
  const { org, owner } = await createOrgAsOperator(context, wanted, ORIGIN);
  if (!owner) throw new Error("nobody owns it");
  [orgId, userId] = [org.id, owner.user_id];
});

async function newToken(expiresAt?: Date): Promise<string> {
  return (await createApiToken(context, { orgId, userId, name: "laptop", expiresAt }, BY_RULE, ORIGIN)).token;
}

describe("an API token", () => {
  it("stands for its person, in its organization, with the role of the membership", async () => {
    const token = await newToken();
    expect(await validateToken(context, token)).toEqual({
      valid: true,
      kind: "api_token",
      user: { id: userId, email: "Ada@example.com", name: "Ada" },
      org: { id: orgId, slug: "acme", name: "Acme" },
      role: "owner",
      expires_at: null,
      cache_seconds: 5,
    });
    await sql`update identity.memberships set role = 'viewer'`.execute(database.db);
    expect(await validateToken(context, token)).toMatchObject({ role: "viewer" });
  });

  it("is nowhere in the database, only its digest and the few characters that are shown", async () => {
    const token = await newToken();
    const { rows } = await sql<{ prefix: string; digest: Buffer; text: string }>`
      select prefix, digest, t::text as text from identity.api_tokens t`.execute(database.db);
    expect(rows[0]).toMatchObject({ prefix: token.slice(0, 10), digest: keys.digest("api token", token) });
    expect(rows[0]?.text).not.toContain(token.slice(10));
  });

  it("is refused from the moment it expires", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const token = await newToken(expiresAt);
    expect(await validateToken(context, token)).toMatchObject({ valid: true, expires_at: expiresAt.toISOString() });
    await sql`update identity.api_tokens set expires_at = now()`.execute(database.db);
    expect(await validateToken(context, token)).toEqual(REFUSED);
  });

  it("may not be relied on for longer than it lives", async () => {
    const answer = await validateToken(context, await newToken(new Date(Date.now() + 2_000)));
    if (!answer.valid) throw new Error("refused");
    expect(answer.cache_seconds).toBeGreaterThan(0);
    expect(answer.cache_seconds).toBeLessThanOrEqual(2);
  });

  it("is refused once its person is no longer a member, and stays so if they come back", async () => {
    const token = await newToken();
    await sql`delete from identity.memberships`.execute(database.db);
    expect(await validateToken(context, token)).toEqual(REFUSED);
    await sql`insert into identity.memberships (id, org_id, user_id, role)
      values (${uuidOf(newId("mem"))}, ${uuidOf(orgId)}, ${uuidOf(userId)}, 'owner')`.execute(database.db);
    expect(await validateToken(context, token)).toEqual(REFUSED);
  });

  it("is refused in the same words when nobody ever made it, and when a secret was changed", async () => {
    const token = await newToken();
    expect(await validateToken(context, makeApiToken())).toEqual(REFUSED);
    const changed = { ...context, keys: deriveTokenKeys("1".repeat(64), "3".repeat(64)) };
    expect(await validateToken(changed, token)).toEqual(REFUSED);
  });

  it("with a typo is refused without a question to the database", async () => {
    let queries = 0;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const counted = { ...context, db: context.db.withPlugin(counter) };
    const token = await newToken();
    const typo = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
    for (const text of [typo, "", "svc_", "a.b.c", "x".repeat(8_192)]) {
      expect(await validateToken(counted, text)).toEqual(REFUSED);
    }
    expect(queries).toBe(0);
    await validateToken(counted, token);
    expect(queries).toBeGreaterThan(0);
  });
});

import { openCache } from "@svc/platform/cache";
import { createMigratedDatabase, servicesUnderTest, silentLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IdentityContext } from "./context.ts";
import { createOrg, createOrgAsOperator } from "./create-org.ts";
import { identityMigrations } from "./index.ts";
import { deriveTokenKeys } from "./token-keys.ts";

const ORIGIN = { address: "192.0.2.1", userAgent: "a test" };
const cache = openCache(servicesUnderTest().redisUrl, silentLogger());
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let context: IdentityContext;

beforeAll(async () => {
  database = await createMigratedDatabase([identityMigrations]);
  context = { db: database.db, keys: deriveTokenKeys("1".repeat(64), "2".repeat(64)), cache };
});
afterAll(async () => {
  await cache.close();
  await database.drop();
});
beforeEach(() => sql`truncate identity.orgs, identity.users cascade`.execute(database.db));

async function rowsOf(statement: string): Promise<unknown[]> {
  return (await sql.raw(statement).execute(database.db)).rows;
}

const count = async (table: string): Promise<number> => (await rowsOf(`select 1 from identity.${table}`)).length;
const make = (name: string, email: string) =>
  createOrgAsOperator(context, { name, admin_email: email, admin_name: "Ada" }, ORIGIN);

describe("an organization made by the operator", () => {
  it("has its first owner", async () => {
    const { org, owner } = await make("Acme", "ada@example.com");
    expect(org).toMatchObject({ name: "Acme", slug: "acme", domains: [] });
    expect(owner).toMatchObject({ created: true, added: false });
    expect(await rowsOf("select role from identity.memberships")).toEqual([{ role: "owner" }]);
  });

  it.each([
    ["ada@example.com", "Ada@Example.COM"],
    ["ÄNNE@example.com", "änne@example.com"],
    // Lower case to JavaScript is not what it is to Postgres for every letter.
    ["İrem@example.com", "İrem@example.com"],
  ])("belongs to the person known as %s when it is made for %s", async (known, given) => {
    const first = await make("One", known);
    const second = await make("Two", given);
    expect(second.owner).toEqual({ user_id: first.owner?.user_id, created: false, added: true });
    expect(await rowsOf("select email from identity.users")).toEqual([{ email: known }]);
  });

  it("gets another slug when its own is taken, also when many of one name are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, (_, at) => make("Acme", `ada${at}@example.com`)));
    const slugs = made.map(({ org }) => org.slug);
    expect(new Set(slugs).size).toBe(8);
    expect(slugs.filter((slug) => slug === "acme")).toHaveLength(1);
    expect(slugs.filter((slug) => !/^acme(-[0-9a-z]{5})?$/.test(slug))).toEqual([]);
  });

  it("makes a person once when several are made for them at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make("Many", "ada@example.com")));
    expect(new Set(made.map(({ owner }) => owner?.user_id)).size).toBe(1);
    expect(made.filter(({ owner }) => owner?.created)).toHaveLength(1);
    expect([await count("orgs"), await count("users"), await count("memberships")]).toEqual([8, 1, 8]);
  });

  it("leaves nothing behind when a domain it wants is taken", async () => {
    await createOrgAsOperator(context, { name: "One", domains: ["example.com"] }, ORIGIN);
    const second = { name: "Two", domains: ["example.org", "example.com"], admin_email: "ada@example.com" };
    await expect(createOrgAsOperator(context, second, ORIGIN)).rejects.toMatchObject({ code: "DOMAIN_TAKEN" });
    expect([await count("orgs"), await count("users"), await count("org_domains")]).toEqual([1, 0, 1]);
  });
});

describe("an organization made by a person", () => {
  it("has that person as its owner", async () => {
    const { owner } = await make("First", "ada@example.com");
    if (!owner) throw new Error("nobody owns it");
    const org = await createOrg(context, { name: "Société Générale & Co", ownerId: owner.user_id }, ORIGIN);
    expect(org.slug).toBe("societe-generale-co");
    expect(await count("memberships")).toBe(2);
  });
});

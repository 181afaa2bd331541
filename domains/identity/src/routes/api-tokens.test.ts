import { newId } from "@svc/platform/ids";
import { waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIdentityFixture, type IdentityFixture, type TestOrg } from "../testing/identity-fixture.ts";
import { makeApiToken } from "../token-format.ts";

let fixture: IdentityFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  org = await fixture.createTestOrg();
});

afterAll(() => fixture?.close());

const validate = async (token: string) =>
  (await fixture.call("POST", "/api/v1/tokens/validate", undefined, { token })).body;

describe("API tokens", () => {
  it("201: are shown once, act as their person, and only a digest is kept", async () => {
    const { token: own, userId } = org.members.developer;
    const { status, body } = await fixture.call("POST", "/api/v1/api-tokens", own, { name: "ci" });
    expect(status).toBe(201);
    expect(body.token).toMatch(/^svc_[0-9A-Za-z]{38}$/);
    expect(await validate(body.token)).toMatchObject({
      valid: true,
      kind: "api_token",
      role: "developer",
      user: { id: userId },
      org: { id: org.id },
    });
    const listed = await fixture.call("GET", "/api/v1/api-tokens", own);
    expect(JSON.stringify(listed.body)).not.toContain(body.token);
    expect(listed.body.items.map(({ name }: any) => name)).toEqual(["token of developer", "ci"]);
    const { rows } = await sql<{
      dump: string;
    }>`select string_agg(token::text, ' ') as dump from identity.api_tokens token`.execute(fixture.context.db);
    expect(rows[0]?.dump).not.toContain(body.token.slice(10));
  });

  it("400: an expiry in the past, a name too long, a field too many", async () => {
    const { token } = org.members.viewer;
    const create = async (body: object) => (await fixture.call("POST", "/api/v1/api-tokens", token, body)).status;
    expect(await create({ name: "x", expires_at: "2020-01-01T00:00:00Z" })).toBe(400);
    expect(await create({ name: "x".repeat(201) })).toBe(400);
    expect(await create({ name: "x", role: "owner" })).toBe(400);
  });

  it("end by themselves at their expiry", async () => {
    const expires_at = new Date(Date.now() + 300).toISOString();
    const { body } = await fixture.call("POST", "/api/v1/api-tokens", org.members.viewer.token, {
      name: "short",
      expires_at,
    });
    expect((await validate(body.token)).valid).toBe(true);
    await waitUntil(async () => !(await validate(body.token)).valid, 3_000);
  });

  it("200 and 403: everyone's are listed for admin and owner alone", async () => {
    const list = (role: "developer" | "admin") =>
      fixture.call("GET", "/api/v1/api-tokens?scope=org&limit=100", org.members[role].token);
    expect((await list("developer")).status).toBe(403);
    expect((await list("admin")).body.items.length).toBeGreaterThanOrEqual(5);
  });

  it("204: revoked by their person or an admin, over at once, and others are told", async () => {
    const { token } = org.members.developer;
    const make = async () => (await fixture.call("POST", "/api/v1/api-tokens", token, { name: "to revoke" })).body;
    const [mine, seenByAdmin] = [await make(), await make()];
    fixture.published.length = 0;
    expect((await fixture.call("DELETE", `/api/v1/api-tokens/${mine.api_token.id}`, token)).status).toBe(204);
    expect(await validate(mine.token)).toEqual({ valid: false, reason: "Invalid or expired API token" });
    expect(
      (await fixture.call("DELETE", `/api/v1/api-tokens/${seenByAdmin.api_token.id}`, org.members.admin.token)).status,
    ).toBe(204);
    expect(fixture.published).toHaveLength(2);
  });

  it("404: those of others are not there for who may not revoke them, just as unknown ones", async () => {
    const { body } = await fixture.call("POST", "/api/v1/api-tokens", org.members.owner.token, { name: "the owner's" });
    const hidden = await fixture.call("DELETE", `/api/v1/api-tokens/${body.api_token.id}`, org.members.viewer.token);
    const unknown = await fixture.call("DELETE", `/api/v1/api-tokens/${newId("tok")}`, org.members.viewer.token);
    expect(hidden.status).toBe(404);
    expect(hidden.body).toEqual(unknown.body);
    const stranger = await fixture.createTestOrg("Stranger");
    expect(
      (await fixture.call("DELETE", `/api/v1/api-tokens/${body.api_token.id}`, stranger.members.owner.token)).status,
    ).toBe(404);
  });

  it("are noted as used, at most once a minute", async () => {
    const { body } = await fixture.call("POST", "/api/v1/api-tokens", org.members.viewer.token, { name: "used" });
    const lastUsed = async () => {
      const { body: list } = await fixture.call("GET", "/api/v1/api-tokens?limit=100", org.members.viewer.token);
      return list.items.find(({ id }: any) => id === body.api_token.id)?.last_used_at;
    };
    expect(await lastUsed()).toBeNull();
    await Promise.all(Array.from({ length: 20 }, () => validate(body.token)));
    await waitUntil(async () => (await lastUsed()) !== null);
    const first = await lastUsed();
    await validate(body.token);
    expect(await lastUsed()).toBe(first);
  });
});

describe("a token that cannot be ours", () => {
  it("is refused without a look into the database", async () => {
    let queries = 0;
    const watched = fixture.context.db.getExecutor().executeQuery;
    fixture.context.db.getExecutor().executeQuery = function count(this: unknown, ...args: Parameters<typeof watched>) {
      queries += 1;
      return watched.apply(this as never, args);
    } as typeof watched;
    try {
      const good = makeApiToken();
      const typo = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
      for (const token of [typo, "svc_short", "nonsense", `${good}x`]) {
        expect(await validate(token)).toEqual({ valid: false, reason: "Invalid or expired API token" });
      }
      expect(queries).toBe(0);
      await validate(good);
      expect(queries).toBe(1);
    } finally {
      fixture.context.db.getExecutor().executeQuery = watched;
    }
  });
});

import { problemSchema, validateTokenResponseSchema } from "@svc/contract";
import { openCache } from "@svc/platform/cache";
import { openDatabase } from "@svc/platform/db";
import { createServer, type Server } from "@svc/platform/http";
import { createMigratedDatabase, servicesUnderTest, silentLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BY_RULE,
  createApiToken,
  createOrgAsOperator,
  deriveTokenKeys,
  type IdentityContext,
  identityMigrations,
  identityOutbox,
  identityRoutes,
  type IdentityTables,
} from "../index.ts";
import { makeApiToken } from "../token-format.ts";

const ORIGIN = { address: null, userAgent: null };
const keys = deriveTokenKeys("1".repeat(64), "2".repeat(64));
const log = silentLogger();
const cache = openCache(servicesUnderTest().redisUrl, log);
const away = openDatabase<IdentityTables>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log });
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let context: IdentityContext;
let app: Server;
let stranded: Server;

async function serve(of: IdentityContext): Promise<Server> {
  const server = await createServer({ log, title: "a test" });
  await server.register(identityRoutes, { context: of, outbox: identityOutbox, operatorToken: undefined });
  return server;
}

beforeAll(async () => {
  database = await createMigratedDatabase([identityMigrations]);
  context = { db: database.db, keys, cache };
  app = await serve(context);
  stranded = await serve({ ...context, db: away.db });
});
afterAll(async () => {
  await Promise.all([app.close(), stranded.close(), away.close(), cache.close()]);
  await database.drop();
});

async function newToken(name: string): Promise<{ token: string }> {
  const { org, owner } = await createOrgAsOperator(context, { name, admin_email: "ada@example.com" }, ORIGIN);
  if (!owner) throw new Error("nobody owns it");
  const wanted = { orgId: org.id, userId: owner.user_id, name: "laptop" };
  return createApiToken(context, wanted, BY_RULE, ORIGIN);
}

const ask = (payload: object, to = app) => to.inject({ method: "POST", url: "/api/v1/tokens/validate", payload });

describe("asking whom a token stands for", () => {
  it("answers 200 with the caller", async () => {
    const { token } = await newToken("Acme");
    const answer = await ask({ token });
    expect(answer.statusCode).toBe(200);
    expect(validateTokenResponseSchema.parse(answer.json())).toMatchObject({
      valid: true,
      kind: "api_token",
      org: { slug: "acme" },
      user: { email: "ada@example.com" },
      role: "owner",
    });
  });

  it("answers 200 with the reason when the token is unknown, garbled or expired, in the same words", async () => {
    const expired = await newToken("Expired");
    await sql`update identity.api_tokens set expires_at = now() from identity.orgs
      where orgs.id = org_id and slug = 'expired'`.execute(database.db);
    const answers = await Promise.all([makeApiToken(), "garbled", expired.token].map((token) => ask({ token })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ payload }) => payload))).toEqual(
      new Set([JSON.stringify({ valid: false, reason: "Invalid or expired API token" })]),
    );
  });

  it.each([
    ["no token", {}],
    ["an empty token", { token: "" }],
    ["a token that is none", { token: 7 }],
    ["a token too long", { token: "x".repeat(8_193) }],
    ["something else besides", { token: "svc_token", org: "acme" }],
  ])("answers 400 to %s, without repeating the token", async (_what, payload) => {
    const answer = await ask(payload);
    expect(answer.statusCode).toBe(400);
    expect(problemSchema.parse(answer.json()).code).toBe("INVALID_REQUEST");
    expect(answer.payload).not.toMatch(/xxxx|svc_token/);
  });

  it("answers 503 while the database is away, and refuses a garbled token all the same", async () => {
    const answer = await ask({ token: makeApiToken() }, stranded);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect((await ask({ token: "garbled" }, stranded)).json()).toMatchObject({ valid: false });
  });

  it("refuses a token in the very next answer after its membership was removed", async () => {
    const { token } = await newToken("Brief");
    expect((await ask({ token })).json()).toMatchObject({ valid: true });
    await sql`delete from identity.memberships using identity.orgs where org_id = orgs.id and slug = 'brief'`.execute(
      database.db,
    );
    expect((await ask({ token })).json()).toMatchObject({ valid: false });
  });
});

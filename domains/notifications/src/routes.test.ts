import { INGEST_BATCH_LIMIT, problemSchema } from "@svc/contract";
import { openDatabase } from "@svc/platform/db";
import { createServer, type Server, signServiceAssertion } from "@svc/platform/http";
import { newId } from "@svc/platform/ids";
import { createMigratedDatabase, silentLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notificationRoutes, notificationsMigrations } from "./index.ts";

const SECRET = "5".repeat(64);
const away = openDatabase<unknown>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log: silentLogger() });
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let app: Server;
let stranded: Server;
let assertion: string;

beforeAll(async () => {
  database = await createMigratedDatabase([notificationsMigrations]);
  app = await createServer({ log: silentLogger(), title: "a test" });
  await app.register(notificationRoutes, { db: database.db, actorAssertionSecret: SECRET });
  stranded = await createServer({ log: silentLogger(), title: "a test" });
  await stranded.register(notificationRoutes, { db: away.db, actorAssertionSecret: SECRET });
  assertion = await signServiceAssertion(SECRET, { from: "auth-service", to: "api-gateway", right: "events:ingest" });
});
afterAll(async () => {
  await Promise.all([app.close(), stranded.close(), away.close()]);
  await database.drop();
});

const eventOf = (): Record<string, unknown> => ({
  id: newId("evt"),
  org_id: newId("org"),
  type: "org.support_access.started",
  subject: { kind: "org", id: "org_1" },
  data: {},
  occurred_at: new Date().toISOString(),
});

const post = (payload: unknown, { to = app, token = assertion } = {}) =>
  to.inject({
    method: "POST",
    url: "/internal/v1/events",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    payload: JSON.stringify(payload),
  });

async function recorded(): Promise<number> {
  return (await sql`select 1 from notifications.events`.execute(database.db)).rows.length;
}

describe("the door for events of the auth service", () => {
  it("takes them over and tells how many it did not know yet", async () => {
    const [first, second] = [eventOf(), eventOf()];
    const answer = await post({ events: [first] });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ received: 1, recorded: 1 });
    expect((await post({ events: [first, second] })).json()).toEqual({ received: 2, recorded: 1 });
  });

  it("takes as many at once as the contract allows", async () => {
    const events = Array.from({ length: INGEST_BATCH_LIMIT }, eventOf);
    expect((await post({ events })).json()).toEqual({ received: INGEST_BATCH_LIMIT, recorded: INGEST_BATCH_LIMIT });
  });

  it.each<[string, () => unknown, string]>([
    ["no events", () => ({ events: [] }), "events"],
    ["an unknown type", () => ({ events: [eventOf(), { ...eventOf(), type: "org.deleted" }] }), "events.1.type"],
    ["an unknown field", () => ({ events: [{ ...eventOf(), severity: 1 }] }), "events.0"],
    ["too many", () => ({ events: Array.from({ length: INGEST_BATCH_LIMIT + 1 }, eventOf) }), "events"],
    ["a list instead of an object", () => [eventOf()], ""],
  ])("answers 400 to %s, says where, and records nothing", async (_what, make, path) => {
    const before = await recorded();
    const answer = await post(make());
    expect(answer.statusCode).toBe(400);
    expect(problemSchema.parse(answer.json()).problems).toContainEqual(expect.objectContaining({ path }));
    expect(await recorded()).toBe(before);
  });

  it("answers 401 to everybody else, before it reads what they send", async () => {
    const before = await recorded();
    const worker = await signServiceAssertion(SECRET, { from: "worker", to: "api-gateway", right: "events:ingest" });
    for (const token of ["svc_token", worker]) {
      expect((await post({ events: [eventOf()] }, { token })).statusCode).toBe(401);
      expect((await post("not even an object", { token })).statusCode).toBe(401);
    }
    expect(await recorded()).toBe(before);
  });

  it("answers 413 to more than 4 MiB", async () => {
    const answer = await post({ events: [eventOf()], padding: "x".repeat(4 * 1_024 * 1_024) });
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it("answers 503 with when to come again while the database is away", async () => {
    const answer = await post({ events: [eventOf()] }, { to: stranded });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(problemSchema.parse(answer.json()).code).toBe("UNAVAILABLE");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes } from "../testing/notes.ts";
import { wordModels } from "../testing/word-model.ts";
import { uuidOf } from "@svc/platform/ids";

const models = wordModels();
let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDataSourcesFixture({ models, perMinute: 60, perDay: 5_000 });
  customer = await createCustomerDatabase();
  await createNotes(customer);
  org = fixture.createOrg();
  await exposeNotes(fixture, org, customer, { minRole: "developer" });
});
afterAll(async () => {
  await fixture.close();
  await customer.drop();
});

const ask = (token: string | undefined, source: string, body: unknown) =>
  fixture.call("POST", `/api/wf/slim/data-sources/${source}/query`, token, body, {
    accept: "application/json",
    "content-type": "application/json",
  });

describe("200 questions at once from an organization with 60 a minute", () => {
  it("are answered 60 times and refused 140 times, each refusal with the right Retry-After and without an embedding", async () => {
    const before = models.asked.length;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => ask(org.tokens.developer, "db_notes", { query: `question ${n}` })),
    );
    const byStatus = Object.groupBy(answers, ({ status }) => status);
    expect(byStatus[200]).toHaveLength(60);
    expect(byStatus[429]).toHaveLength(140);
    expect(models.asked.length - before).toBe(60);
    for (const { headers, body } of byStatus[429] ?? []) {
      expect(body.code).toBe("RATE_LIMITED");
      expect(Number(headers["retry-after"])).toBeGreaterThan(50);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
    }
  });

  it("leave it without a question for everyone in it, and nobody else", async () => {
    expect((await ask(org.tokens.owner, "db_notes", { query: "x" })).status).toBe(429);
  });
});

describe("while the limit is used up, what is looked at first is seen", () => {
  it("no token: 401", async () => {
    expect((await ask(undefined, "db_notes", { query: "x" })).status).toBe(401);
  });
  it("no such source: 404", async () => {
    expect((await ask(org.tokens.owner, "db_none", { query: "x" })).status).toBe(404);
  });
  it("role too low: 403", async () => {
    expect((await ask(org.tokens.viewer, "db_notes", { query: "x" })).status).toBe(403);
  });
  it.each([
    ["malformed", "{"],
    ["not JSON by its fields", { nonsense: 1 }],
    ["a filter that is not allowed", { query: "x", filters: { secret: 1 } }],
  ])("429 before a body that is %s", async (_what, body) => {
    expect((await ask(org.tokens.owner, "db_notes", body)).status).toBe(429);
  });
});

describe("questions turned away before the limit", () => {
  it("are not counted", async () => {
    const counted = fixture.createOrg();
    const other = await createCustomerDatabase();
    try {
      await createNotes(other);
      await exposeNotes(fixture, counted, other, { minRole: "developer" });
      for (let n = 0; n < 70; n += 1) {
        await ask(counted.tokens.owner, "db_none", { query: "x" });
        await ask(counted.tokens.viewer, "db_notes", { query: "x" });
      }
      expect((await ask(counted.tokens.owner, "db_notes", { query: "x" })).status).toBe(200);
    } finally {
      await other.drop();
    }
  });
});

describe("an organization with limits of its own", () => {
  it("is held to them instead of the operator's", async () => {
    const special = fixture.createOrg();
    await fixture.addSource(special, "few");
    await fixture.call("PUT", "/api/wf/data-sources/db_few/exposure", special.tokens.owner, { exposed: true });
    await fixture.context.db
      .insertInto("data_sources.question_limits")
      .values({ org_id: uuidOf(special.id), per_minute: 2, per_day: 100 })
      .execute();
    await fixture.context.sourceChanged(special.id);
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await ask(special.tokens.viewer, "db_few", { query: "x" })).status);
    // Not configured, but asked: what counts is that it passed the gate.
    expect(statuses).toEqual([409, 409, 429, 429]);
  });
});

import { waitUntil } from "@svc/platform/testing";
import { newId } from "@svc/platform/ids";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes } from "../testing/notes.ts";

const QUESTION = "zanzibar expenses of the quarter";

let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDataSourcesFixture();
  customer = await createCustomerDatabase();
  await createNotes(customer);
  org = fixture.createOrg();
  await exposeNotes(fixture, org, customer);
});
afterAll(async () => {
  await fixture.close();
  await customer.drop();
});

const list = (query = "", token = org.tokens.owner) =>
  fixture.call("GET", `/api/wf/activity?type=data_sources${query}`, token);
async function listUntil(count: number, query = ""): Promise<any[]> {
  let items: any[] = [];
  await waitUntil(async () => (items = (await list(query)).body.items).length >= count);
  return items;
}
const askAs = (token: string, userAgent: string, body: object = { query: QUESTION }) =>
  fixture.call("POST", "/api/wf/slim/data-sources/db_notes/query", token, body, {
    accept: "application/json",
    "user-agent": userAgent,
  });

describe("the record of a question", () => {
  it("has source, asker, time, duration, size of the answer and the door it came in by", async () => {
    const before = Date.now();
    const answer = await askAs(org.tokens.developer, "svc/0.1.0 linux");
    const [record] = await listUntil(1);
    expect(record).toEqual({
      id: expect.stringMatching(/^act_/),
      type: "data_sources",
      source_id: "db_notes",
      source: "cli",
      user: { id: org.callers.developer.user?.id, email: "developer@example.com" },
      caller_kind: "api_token",
      client_id: null,
      at: expect.any(String),
      duration_ms: expect.any(Number),
      question_bytes: Buffer.byteLength(QUESTION),
      answer_bytes: Buffer.byteLength(answer.text),
      hits: answer.body.count,
      question_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      answer_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      outcome: "ok",
    });
    expect(Date.parse(record.at)).toBeGreaterThanOrEqual(before - 5);
    expect(record.duration_ms).toBeGreaterThan(0);
  });

  it("says api for anything that is not our client, and mcp for who comes with an agent's assertion", async () => {
    await askAs(org.tokens.viewer, "curl/8 svc/0.1.0");
    org.callers.member.kind = "actor";
    await askAs(org.tokens.member, "svc/0.1.0");
    await listUntil(3);
    expect((await list("&source=api")).body.items).toHaveLength(1);
    expect((await list("&source=mcp")).body.items).toHaveLength(1);
  });

  it("is also of one that failed, with how it failed", async () => {
    await askAs(org.tokens.admin, "x", { query: QUESTION, filters: { secret: "x" } });
    const items = await listUntil(1, `&user_id=${org.callers.admin.user?.id}`);
    expect(items[0]).toMatchObject({ outcome: "INVALID_FILTER", hits: 0, answer_bytes: 0, answer_digest: null });
  });

  it("has neither the question nor anything of the answer, and a digest that needs our key", async () => {
    const { rows } = await sql<{ row: string }>`select activity::text as row from data_sources.activity`.execute(
      fixture.context.db,
    );
    const everything = rows.map(({ row }) => row).join("\n");
    expect(rows.length).toBeGreaterThanOrEqual(4);
    for (const text of ["zanzibar", "expenses", "Holidays", "holidays"]) expect(everything).not.toContain(text);
    const { createHash } = await import("node:crypto");
    expect(everything).not.toContain(createHash("sha256").update(QUESTION).digest("hex"));
    // The same question has the same digest, so that repeats can be seen.
    const digests = (await list()).body.items.map(({ question_digest }: any) => question_digest);
    expect(new Set(digests).size).toBe(1);
  });
});

describe("the list of activity", () => {
  it("is of functions unless data sources are asked for", async () => {
    const { status, body } = await fixture.call("GET", "/api/wf/activity", org.tokens.owner);
    expect(status).toBe(200);
    expect(body).toEqual({ items: [], next_cursor: null });
  });

  it("is newest first and comes in pages", async () => {
    const all = (await list()).body.items.map(({ id }: any) => id);
    expect(all).toEqual(all.toSorted().toReversed());
    const first = (await list("&limit=3")).body;
    const second = (await list(`&limit=3&cursor=${first.next_cursor}`)).body;
    expect([...first.items, ...second.items].map(({ id }: any) => id)).toEqual(all.slice(0, 6));
    expect((await list("&cursor=nonsense")).status).toBe(400);
  });

  it("can be narrowed to a source, a person and a time", async () => {
    expect((await list("&source_id=db_other")).body.items).toEqual([]);
    expect((await list("&source_id=db_notes")).body.items.length).toBeGreaterThanOrEqual(4);
    expect((await list(`&user_id=${newId("usr")}`)).body.items).toEqual([]);
    const future = new Date(Date.now() + 60_000).toISOString();
    expect((await list(`&from=${future}`)).body.items).toEqual([]);
    expect((await list(`&to=${future}`)).body.items.length).toBeGreaterThanOrEqual(4);
    expect((await list(`&to=${new Date(Date.now() - 3_600_000).toISOString()}`)).body.items).toEqual([]);
  });

  it.each(["&source=ftp", "&from=yesterday", "&user_id=me", "&limit=0", "&limit=101", "&unknown=1"])(
    "refuses %s",
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );

  it("shows viewers and members what they asked themselves, and others' to nobody below developer", async () => {
    const own = await list("", org.tokens.viewer);
    expect(own.body.items.length).toBeGreaterThan(0);
    for (const { user } of own.body.items) expect(user.id).toBe(org.callers.viewer.user?.id);
    expect((await list(`&user_id=${org.callers.owner.user?.id}`, org.tokens.viewer)).status).toBe(403);
    expect((await list("", org.tokens.developer)).body.items.length).toBeGreaterThan(own.body.items.length);
  });

  it("never shows another organization's", async () => {
    expect((await list("", fixture.createOrg().tokens.owner)).body.items).toEqual([]);
  });
});

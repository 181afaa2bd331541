import { type SourceAuditAction, SOURCE_AUDIT_ACTIONS, type SourceAuditEntry } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, NOTES_CONFIGURATION } from "../testing/notes.ts";

let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDataSourcesFixture();
  fixture.context.jobs = { ...fixture.context.jobs, enqueue: async () => crypto.randomUUID() };
  customer = await createCustomerDatabase();
  org = fixture.createOrg();
  await createNotes(customer);
  await fixture.addSource(org, "notes", customer);
});
afterAll(async () => {
  await fixture?.close();
  await customer?.drop();
});

type Act = [method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object];

async function act([method, path, body]: Act): Promise<number> {
  const headers = { "user-agent": "an audit test" };
  return (await fixture.call(method, `/api/wf/${path}`, org.tokens.admin, body, headers)).status;
}
async function trail(query = "", token = org.tokens.admin): Promise<SourceAuditEntry[]> {
  const { status, body } = await fixture.call("GET", `/api/wf/audit${query}`, token);
  expect(status).toBe(200);
  return body.items;
}
/** What an act adds to the trail, the oldest first. */
async function addedBy(work: () => Promise<number>): Promise<{ status: number; entries: SourceAuditEntry[] }> {
  const before = new Set((await trail()).map(({ id }) => id));
  const status = await work();
  const entries = (await trail()).filter(({ id }) => !before.has(id)).toReversed();
  return { status, entries };
}

const PROBE = { send_rows_to_embedding_provider: true };
const OTHER = { ...NOTES_CONFIGURATION, filter_schema: {} };

/** In this order, each from where the last has left it. */
const CHANGES: [SourceAuditAction, Act, Record<string, string>?][] = [
  ["database.created", ["POST", "databases", { name: "drafts" }], { data_source: "true" }],
  ["database.described", ["PATCH", "databases/drafts", { description: "Not yet" }], { description: "Not yet" }],
  ["database.switched_off", ["PATCH", "databases/drafts", { data_source: false }]],
  ["database.switched_on", ["PATCH", "databases/drafts", { data_source: true }]],
  ["database.deleted", ["DELETE", "databases/drafts"]],
  ["database.restored", ["POST", "databases/drafts/restore"]],
  [
    "source.configured",
    ["PUT", "data-sources/db_notes", NOTES_CONFIGURATION],
    { tables: "notes (id, title, body, lang, year)", filters: "lang, year, draft" },
  ],
  ["source.model_checked", ["POST", "data-sources/db_notes/probe", PROBE], { models: "words" }],
  [
    "source.exposed",
    ["PUT", "data-sources/db_notes/exposure", { exposed: true, min_role: "admin" }],
    { min_role: "admin", before: "exposed to nobody" },
  ],
  [
    "source.exposed",
    ["PUT", "data-sources/db_notes/exposure", { exposed: true, min_role: "viewer" }],
    { min_role: "viewer", before: "exposed from admin up" },
  ],
  [
    "source.hidden",
    ["PUT", "data-sources/db_notes/exposure", { exposed: false }],
    { min_role: "viewer", before: "exposed from viewer up" },
  ],
  ["database.connection_shown", ["GET", "databases/notes/connection"]],
  ["database.passwords_changed", ["POST", "databases/notes/rotate"]],
];

describe("the trail of databases and sources", () => {
  it.each(CHANGES)("has %s, with who, what and from where: %j", async (action, change, details = {}) => {
    const { status, entries } = await addedBy(() => act(change));
    expect(status).toBeLessThan(300);
    const [kind] = action.split(".");
    const name = change[1].includes("notes") ? "notes" : "drafts";
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        action,
        actor: { kind: "user", id: org.callers.admin.user?.id, name: "admin@example.com" },
        target: { kind, id: `db_${name}`, name },
        details,
        address: "127.0.0.1",
        user_agent: "an audit test",
        at: expect.any(String),
      },
    ]);
  });

  it.each<[string, Act, number]>([
    ["a dry run", ["PUT", "data-sources/db_notes?dry_run=true", OTHER], 200],
    ["a refused configuration", ["PUT", "data-sources/db_notes", { connection_config: {} }], 400],
    ["the description it has", ["PATCH", "databases/drafts", { description: "Not yet" }], 200],
    ["the state it is in", ["PATCH", "databases/drafts", { data_source: false }], 200],
    ["the exposure it has", ["PUT", "data-sources/db_notes/exposure", { exposed: false }], 200],
    ["a name that is taken", ["POST", "databases", { name: "notes" }], 409],
    ["a database that is not there", ["GET", "databases/nowhere/connection"], 404],
  ])("has nothing of %s", async (_what, change, expected) => {
    const { status, entries } = await addedBy(() => act(change));
    expect([status, entries]).toEqual([expected, []]);
  });

  it("is of one organization, for admins and owners", async () => {
    expect(await trail("", fixture.createOrg().tokens.owner)).toEqual([]);
    const { status } = await fixture.call("GET", "/api/wf/audit", org.tokens.developer);
    expect(status).toBe(403);
  });

  it("comes newest first, in pages, by action and by source", async () => {
    const all = await trail("?limit=100");
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    const { body: first } = await fixture.call("GET", "/api/wf/audit?limit=2", org.tokens.admin);
    const rest = await trail(`?limit=100&cursor=${first.next_cursor}`);
    expect([...first.items, ...rest]).toEqual(all);
    expect((await trail("?action=source.exposed")).map(({ action }) => action)).toEqual(
      Array(2).fill("source.exposed"),
    );
    const ofDrafts = await trail("?source_id=db_drafts");
    expect(ofDrafts).toEqual(all.filter(({ target }) => target.id === "db_drafts"));
    expect(ofDrafts.length).toBeGreaterThan(0);
    expect((await fixture.call("GET", "/api/wf/audit?action=anything", org.tokens.admin)).status).toBe(400);
  });

  it("was tried with every action but those of jobs and of the sample, which have tests of their own", () => {
    const tried = new Set(CHANGES.map(([action]) => action));
    expect(SOURCE_AUDIT_ACTIONS.filter((action) => !tried.has(action))).toEqual([
      "database.sample_loaded",
      "database.removed",
    ]);
  });

  it("holds a change back that it cannot keep", async () => {
    await fixture.context.db.schema.alterTable("data_sources.audit").renameTo("lost").execute();
    try {
      expect(await act(["PUT", "data-sources/db_notes/exposure", { exposed: true }])).toBe(500);
      expect(await act(["GET", "databases/drafts/connection"])).not.toBe(200);
    } finally {
      await fixture.context.db.schema.alterTable("data_sources.lost").renameTo("audit").execute();
    }
    const { body } = await fixture.call("GET", "/api/wf/data-sources", org.tokens.admin);
    expect(body.items.map(({ exposed }: { exposed: boolean }) => exposed)).toEqual([false, false]);
  });
});

import type { Caller } from "@svc/contract";
import { waitUntil } from "@svc/platform/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTES_CONFIGURATION } from "../testing/notes.ts";
import { vectorLiteral, wordVector } from "../testing/word-model.ts";
import { createDomainUnderTest, type DomainUnderTest, JSON_WANTED } from "./testing/domain-under-test.ts";

let domain: DomainUnderTest;

beforeAll(async () => {
  domain = await createDomainUnderTest();
});
afterAll(() => domain?.close());

const ask = (sourceId: string, question: object = { query: "holidays" }) =>
  domain.ask(domain.org.tokens.viewer, sourceId, question);
const create = (body: object) => domain.call("POST", "/api/wf/databases", domain.org.tokens.developer, body);
const records = async (query: string): Promise<any[]> =>
  (await domain.call("GET", `/api/wf/activity?type=data_sources&${query}`, domain.org.tokens.owner)).body.items;

describe("a managed database", () => {
  it("is a data source from the start, under db_ and its name, and not shown to who asks", async () => {
    await create({ name: "handbook", description: "How we work" });
    expect(await domain.sourceOf("db_handbook")).toMatchObject({
      id: expect.stringMatching(/^ds_/),
      name: "handbook",
      database: "handbook",
      description: "How we work",
      enabled: true,
      exposed: false,
      search_configured: false,
    });
    expect((await ask("db_handbook")).status).toBe(404);
  });

  it("that was not switched on can be exposed only after it is", async () => {
    await create({ name: "ledger", data_source: false });
    expect((await domain.expose("db_ledger", { exposed: true })).status).toBe(409);
    await domain.call("PATCH", "/api/wf/databases/ledger", domain.org.tokens.developer, { data_source: true });
    expect((await domain.expose("db_ledger", { exposed: true })).status).toBe(200);
  });
});

describe("the way from a database to an answer", () => {
  it("is to configure, to expose, to ask and to see it on record; no step works before its turn", async () => {
    const { org } = domain;
    await create({ name: "garden" });
    // Still being made: there is nothing to compare a configuration with.
    expect((await domain.save("db_garden", NOTES_CONFIGURATION)).status).toBe(409);
    await domain.makeDatabase(org, "garden");
    const { body } = await domain.call("GET", "/api/wf/databases/garden/connection", org.tokens.developer);
    const owner = new pg.Client({ connectionString: body.connection_string });
    await owner.connect();
    const entry = { label: "plants", table: "plants", model: "words", dimensions: 64, content_columns: "id, name" };
    const configuration = { connection_config: { embedding_configs: [entry] } };
    expect((await domain.save("db_garden", configuration)).status).toBe(400);
    await owner.query("create table plants (id integer primary key, name text, embedding vector(64))");

    expect((await domain.save("db_garden", configuration)).status).toBe(200);
    expect((await ask("db_garden")).status).toBe(404);
    expect((await domain.expose("db_garden", { exposed: true, min_role: "viewer" })).status).toBe(200);
    // A table without vectors has nothing to find, which is no error.
    expect((await ask("db_garden")).body).toEqual({ count: 0, results: [] });
    const vector = vectorLiteral(wordVector("the old oak", 64));
    await owner.query("insert into plants values (1, 'Oak', $1), (2, 'No vector yet', null)", [vector]);
    await owner.end();
    expect((await ask("db_garden", { query: "old oak" })).body).toMatchObject({
      count: 1,
      results: [{ id: "1", title: "Oak" }],
    });
    await waitUntil(async () => (await records("source_id=db_garden")).length === 2);
  });
});

describe("the service", () => {
  it("searches vectors and writes none: rows are after everything what they were before", async () => {
    const { owner } = domain.customer;
    await owner.query("insert into notes (id, title, body) values (100, 'No vector', 'nobody made one')");
    const rows = async (): Promise<unknown> =>
      (await owner.query("select n::text as row, xmin::text from notes n order by id")).rows;
    const before = await rows();
    const { admin } = domain.org.tokens;
    expect((await domain.save("db_notes", NOTES_CONFIGURATION)).status).toBe(200);
    expect((await ask("db_notes", { query: "nobody made one", filters: { lang: "en" } })).status).toBe(200);
    expect((await domain.call("GET", "/api/wf/data-sources/db_notes/health", admin)).status).toBe(200);
    const probe = { send_rows_to_embedding_provider: true };
    expect((await domain.call("POST", "/api/wf/data-sources/db_notes/probe", admin, probe)).status).toBe(200);
    expect(await rows()).toEqual(before);
    const found = (await ask("db_notes", { query: "nobody made one", top_k: 20 })).body.results;
    expect(found.map(({ id }: { id: string }) => id)).not.toContain("100");
  });

  it("takes SQL for words like any other", async () => {
    for (const query of ["select secret from notes", "'; drop table notes; --", "delete from notes returning *"]) {
      const { status, body } = await ask("db_notes", { query });
      expect(status).toBe(200);
      const keys = Object.keys(body.results[0].metadata);
      expect(keys.toSorted()).toEqual(["_score", "_target", "body", "lang", "year"]);
    }
    const { rows } = await domain.customer.owner.query("select count(*)::int as count from notes");
    expect(rows[0].count).toBeGreaterThanOrEqual(5);
  });
});

describe("a source can be asked", () => {
  const DOORS: [who: Caller["kind"], userAgent: string, door: string][] = [
    ["user", "Mozilla/5.0", "api"],
    ["api_token", "curl/8.5.0", "api"],
    ["api_token", "svc/0.1.0", "cli"],
    ["user", "svc/1.20.3 (linux; x64)", "cli"],
    ["workload", "svc-worker/0.0.18", "api"],
    ["support", "Mozilla/5.0", "api"],
    ["actor", "anything", "mcp"],
    ["actor", "svc/0.1.0", "mcp"],
    ["api_token", "", "api"],
    ["api_token", "svc/", "api"],
    ["api_token", "SVC/0.1.0", "api"],
    ["api_token", "not-svc/0.1.0", "api"],
  ];

  it.each(DOORS)("by %s as %j, which is recorded as %s", async (kind, userAgent, door) => {
    // A caller of their own, so that the record is found by it.
    const other = domain.createOrg();
    Object.assign(other.callers.viewer, { kind, org: domain.org.callers.viewer.org });
    const { user } = other.callers.viewer;
    const url = "/api/wf/slim/data-sources/db_notes/query";
    const headers = { ...JSON_WANTED, "user-agent": userAgent };
    expect((await domain.call("POST", url, other.tokens.viewer, { query: "days" }, headers)).status).toBe(200);
    await waitUntil(async () => (await records(`user_id=${user?.id}`)).length === 1);
    const [record] = await records(`user_id=${user?.id}`);
    expect(record).toMatchObject({ caller_kind: kind, source: door, user: { id: user?.id, email: user?.email } });
  });

  it("by who is no person, such as a workload, and is on record without one", async () => {
    const other = domain.createOrg();
    Object.assign(other.callers.viewer, { kind: "workload", user: undefined, org: domain.org.callers.viewer.org });
    expect((await domain.ask(other.tokens.viewer, "db_notes", { query: "a workload's question" })).status).toBe(200);
    await waitUntil(async () => (await records("")).some(({ user }) => user === null));
  });
});

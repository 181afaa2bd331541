import { dataSourceSchema } from "@svc/contract";
import { servicesUnderTest, silentLogger } from "@svc/platform/testing";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EmbeddingModels } from "../embedding/models.ts";
import { openEmbeddingModels } from "../embedding/open-models.ts";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { NOTES_CONFIGURATION } from "../testing/notes.ts";
import { wordModels } from "../testing/word-model.ts";
import { SAMPLE_NOTES } from "./sample-notes.ts";

const NOTHING = { connection_config: { embedding_configs: [] } };

let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;
/** The offline model, after one whose provider cannot be reached. */
let models: EmbeddingModels;

beforeAll(async () => {
  models = openEmbeddingModels(
    {
      remote: {
        provider: "openai-compatible",
        base_url: "http://127.0.0.1:1/v1",
        dimensions: 8,
        send_dimensions: false,
        query_prefix: "",
      },
      offline: { provider: "local", dimensions: 512 },
    },
    { log: silentLogger() },
  );
  fixture = await createDataSourcesFixture({ models });
  customer = await createCustomerDatabase();
  org = fixture.createOrg();
  await fixture.addSource(org, "first", customer);
});
afterAll(async () => {
  await fixture?.close();
  await customer?.drop();
  await models?.close();
});
beforeEach(async () => {
  fixture.context.models = models;
  await fixture.call("PUT", "/api/wf/data-sources/db_first", org.tokens.owner, NOTHING);
  await customer.owner.query("drop table if exists sample_notes");
});

const load = (name = "first", token = org.tokens.developer) =>
  fixture.call("POST", `/api/wf/databases/${name}/sample`, token);
const sourceNow = async () => {
  const { body } = await fixture.call("GET", "/api/wf/data-sources", org.tokens.owner);
  return body.items.find(({ source_id }: { source_id: string }) => source_id === "db_first");
};
const findTable = async () => (await customer.owner.query("select to_regclass('sample_notes') as found")).rows[0].found;
async function asSuperuser(statement: string): Promise<void> {
  const url = new URL(servicesUnderTest().postgresAdminUrl);
  url.pathname = `/${customer.names.database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe("loading the sample", () => {
  it("201: makes the table and its search configuration with a local model, and exposes nothing", async () => {
    fixture.context.models = wordModels({ remote: 8, "local-words": 64 });
    const { status, body } = await load();
    expect(status).toBe(201);
    expect(dataSourceSchema.strict().parse(body)).toMatchObject({
      source_id: "db_first",
      exposed: false,
      search_configured: true,
      connection_config: {
        embedding_configs: [
          {
            label: "notes",
            table: "sample_notes",
            columns: ["embedding"],
            model: "local-words",
            dimensions: 64,
            content_columns: "id,title,body,team,year",
            distance_metric: "cosine",
          },
        ],
      },
      filter_schema: { team: "string", year: "number" },
    });
    expect(await sourceNow()).toEqual(body);
    const { rows } = await customer.owner.query("select count(*)::int as count from sample_notes");
    expect(rows).toEqual([{ count: SAMPLE_NOTES.length }]);
    expect((await fixture.ask(org.tokens.owner, "db_first", { query: "holidays" })).status).toBe(404);
    const trail = await fixture.call("GET", "/api/wf/audit?limit=2", org.tokens.owner);
    expect(trail.body.items).toMatchObject([
      { action: "source.configured", actor: { name: "developer@example.com" } },
      { action: "database.sample_loaded", details: { table: "sample_notes" } },
    ]);
  });

  it("answers questions by meaning once it is exposed, with its filters, and is in good health", async () => {
    await load();
    const exposure = { exposed: true, min_role: "viewer" };
    await fixture.call("PUT", "/api/wf/data-sources/db_first/exposure", org.tokens.admin, exposure);
    const titlesOf = async (question: object) => {
      const { body } = await fixture.ask(org.tokens.viewer, "db_first", question);
      return body.results.map(({ title }: { title: string }) => title);
    };
    const trip = "How do I get the money back that I spent on a business trip?";
    expect((await titlesOf({ query: trip }))[0]).toBe("Travel expenses");
    expect((await titlesOf({ query: "I cannot log in any more" }))[0]).toBe("Forgotten password");
    expect(await titlesOf({ query: "rules", filters: { team: "security", year: 2026 } })).toHaveLength(2);
    const health = await fixture.call("GET", "/api/wf/data-sources/db_first/health", org.tokens.developer);
    const findings: { level: string; code: string }[] = health.body.findings;
    expect(findings.filter(({ level, code }) => level !== "ok" && code !== "extension_version")).toEqual([]);
    expect(findings.map(({ code }) => code)).toContain("vector_index");
  });

  it("leaves a search configuration alone that somebody has saved", async () => {
    await customer.owner.query("create table notes (id integer primary key, title text, embedding vector(64))");
    const [entry] = NOTES_CONFIGURATION.connection_config.embedding_configs;
    fixture.context.models = wordModels();
    const own = { connection_config: { embedding_configs: [{ ...entry, content_columns: "id,title" }] } };
    const saved = await fixture.call("PUT", "/api/wf/data-sources/db_first", org.tokens.developer, own);
    expect(saved.status).toBe(200);
    const { status, body } = await load();
    await customer.owner.query("drop table notes");
    expect(status).toBe(201);
    expect(body.connection_config).toEqual(saved.body.connection_config);
    expect(await findTable()).toBe("sample_notes");
  });

  it("takes the first model where none is local, and makes no index that pgvector cannot build", async () => {
    fixture.context.models = wordModels({ wide: 2_001, words: 64 });
    const { status, body } = await load();
    expect(status).toBe(201);
    expect(body.connection_config.embedding_configs).toMatchObject([{ model: "wide", dimensions: 2_001 }]);
    const { rows } = await customer.owner.query("select indexdef from pg_indexes where tablename = 'sample_notes'");
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain("hnsw");
  });
});

describe("the sample is refused", () => {
  it("409: where something has the table's name already, and says what to do", async () => {
    await customer.owner.query("create view sample_notes as select 1 as id");
    const { status, body } = await load();
    await customer.owner.query("drop view sample_notes");
    expect([status, body.code]).toEqual([409, "CONFLICT"]);
    expect(body.detail).toMatch(/sample_notes already\. Save its search configuration to ask it, or drop it/);
    expect((await sourceNow()).search_configured).toBe(false);
  });

  it("409: to all but one of those who load it at the same moment", async () => {
    fixture.context.models = wordModels();
    const answers = await Promise.all([load(), load(), load()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const refused = answers.filter(({ status }) => status === 409);
    for (const { body } of refused) expect(body.detail).toContain("sample_notes already");
  });

  it("409: without a model, and tells what the operator has to set", async () => {
    fixture.context.models = wordModels({});
    const { status, body } = await load();
    expect([status, body.detail]).toEqual([409, expect.stringContaining("has to set EMBEDDING_MODELS")]);
    expect(await findTable()).toBeNull();
  });

  it("409: without pgvector, and tells how to get it", async () => {
    await asSuperuser("drop extension vector cascade");
    const { status, body } = await load();
    await asSuperuser("create extension vector");
    expect([status, body.detail]).toEqual([409, expect.stringContaining("create extension vector")]);
  });

  it.each([
    ["creating", "still being made"],
    ["deleting", "can restore it with POST /api/wf/databases/first/restore"],
  ] as const)("409: while the database is %s", async (status, detail) => {
    const change = (to: "creating" | "deleting" | "ready") =>
      fixture.context.db
        .updateTable("data_sources.databases")
        .set({ status: to, delete_after: to === "deleting" ? new Date(Date.now() + 60_000) : null })
        .execute();
    await change(status);
    const answer = await load();
    await change("ready");
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining(detail)]);
  });

  it("404: for a database that is not there or another organization's, in the same words", async () => {
    const unknown = await load("second");
    const stranger = await load("first", fixture.createOrg().tokens.owner);
    expect([unknown.status, unknown.body.detail]).toEqual([404, "No such database."]);
    expect(stranger.text).toBe(unknown.text);
  });

  it("502: where the model fails, and nothing is left behind", async () => {
    fixture.context.models = { ...models, names: () => ["remote"] };
    const { status, body } = await load();
    expect([status, body.code]).toEqual([502, "EMBEDDING_FAILED"]);
    expect(await findTable()).toBeNull();
    expect((await sourceNow()).search_configured).toBe(false);
  });

  it("leaves no table without rows behind where filling it fails", async () => {
    fixture.context.models = {
      ...models,
      names: () => ["short"],
      find: () => ({
        model: "short",
        dimensions: 3,
        isLocal: true,
        embed: async (texts) => texts.map(() => new Float32Array(2)),
      }),
    };
    expect((await load()).status).toBe(409);
    expect(await findTable()).toBeNull();
  });
});

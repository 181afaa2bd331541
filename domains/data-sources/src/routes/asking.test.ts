import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes, SECRET_TEXT } from "../testing/notes.ts";
import { vectorLiteral, wordModels, wordVector } from "../testing/word-model.ts";

const models = wordModels({ words: 64, other: 32 });
let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;
const customers: CustomerDatabase[] = [];

beforeAll(async () => {
  fixture = await createDataSourcesFixture({ models });
  customer = await createCustomerDatabase();
  customers.push(customer);
  org = fixture.createOrg();
  await createNotes(customer);
  await exposeNotes(fixture, org, customer);
});
afterAll(async () => {
  await fixture.close();
  for (const { drop } of customers) await drop();
});

const ask = (question: object, sourceId = "db_notes") => fixture.ask(org.tokens.viewer, sourceId, question);
const idsOf = ({ body }: { body: any }): string[] => body.results.map(({ id }: { id: string }) => id);

describe("an answer", () => {
  it("has a count and hits, each with id, title and the other content columns, best first", async () => {
    const { status, body } = await ask({ query: "travel expenses" });
    expect(status).toBe(200);
    expect(body.count).toBe(5);
    expect(body.results[0]).toEqual({
      id: "1",
      title: "Paying back expenses",
      metadata: {
        body: "travel expenses are paid back within ten days",
        lang: "en",
        year: 2024,
        _score: expect.any(Number),
        _target: "notes",
      },
    });
    const scores = body.results.map(({ metadata }: any) => metadata["_score"]);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(scores[0]).toBeGreaterThan(scores[4]);
    expect(body).not.toHaveProperty("truncated");
  });

  it("never has a column that the configuration does not name", async () => {
    const { text } = await ask({ query: SECRET_TEXT, top_k: 20 });
    expect(text).not.toContain(SECRET_TEXT);
    expect(text).not.toContain("embedding");
    expect(text).not.toContain("draft");
  });

  it("is YAML unless JSON is asked for, and both say the same", async () => {
    const url = "/api/wf/slim/data-sources/db_notes/query";
    const yaml = await fixture.call("POST", url, org.tokens.viewer, { query: "holidays" });
    expect(yaml.headers["content-type"]).toBe("application/yaml; charset=utf-8");
    const json = await ask({ query: "holidays" });
    expect(json.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(parse(yaml.text)).toEqual(json.body);
    expect(load(yaml.text)).toEqual(json.body);
  });

  it("to a question refused is YAML or JSON by the same rule", async () => {
    const url = "/api/wf/slim/data-sources/db_none/query";
    const yaml = await fixture.call("POST", url, org.tokens.viewer, { query: "x" });
    expect(yaml.headers["content-type"]).toBe("application/yaml; charset=utf-8");
    expect(parse(yaml.text)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const json = await fixture.ask(org.tokens.viewer, "db_none", { query: "x" });
    expect(json.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(parse(yaml.text)).toEqual(json.body);
  });

  it("has ten hits unless top_k says otherwise, which may be 1 to 20", async () => {
    const rows = `
      create table many (id integer primary key, title text, embedding vector(64));
      insert into many select n, 'row ' || n, '${vectorLiteral(wordVector("row", 64))}' from generate_series(1, 30) n`;
    const other = await createSourceOn("many_rows", rows, { table: "many", content_columns: "id, title" });
    expect((await ask({ query: "row" }, other)).body.count).toBe(10);
    expect((await ask({ query: "row", top_k: 1 }, other)).body.count).toBe(1);
    expect((await ask({ query: "row", top_k: 20 }, other)).body.count).toBe(20);
    for (const top_k of [0, 21, -1, 1.5, "10", null]) {
      const refused = await ask({ query: "row", top_k }, other);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ code: "INVALID_REQUEST", problems: [{ path: "top_k" }] });
    }
  });
});

describe("filters", () => {
  it("match exactly, either value of one column, and all of several columns", async () => {
    expect(idsOf(await ask({ query: "days", filters: { lang: "de" } }))).toEqual(["3"]);
    expect(idsOf(await ask({ query: "days", filters: { lang: ["de", "en"], year: 2025 } })).toSorted()).toEqual([
      "2",
      "3",
      "4",
    ]);
    expect(
      idsOf(await ask({ query: "days", filters: { lang: "en", year: [2025, 2023], draft: false } })).toSorted(),
    ).toEqual(["2", "5"]);
    expect((await ask({ query: "days", filters: { lang: "fr" } })).body).toEqual({ count: 0, results: [] });
    expect((await ask({ query: "days", filters: { lang: "EN" } })).body.count).toBe(0);
  });

  it("on any other column are refused with its name and the columns that can be filtered on", async () => {
    const { status, body } = await ask({ query: "days", filters: { secret: SECRET_TEXT } });
    expect(status).toBe(400);
    expect(body.code).toBe("INVALID_FILTER");
    expect(body.detail).toBe(
      'Cannot filter on "secret". Filterable columns: lang (string), year (number), draft (boolean).',
    );
  });

  it("that the column's type has no such value for are refused as the caller's mistake", async () => {
    for (const year of [2024.5, 99_999_999_999]) {
      expect((await ask({ query: "days", filters: { year } })).body).toMatchObject({
        status: 400,
        code: "INVALID_FILTER",
      });
    }
  });

  it("are read by the type of the column, whichever of its kind it is", async () => {
    const rows = `
      create type mood as enum ('calm', 'cross');
      create domain small as integer check (value < 100);
      create table typed (
        id text primary key, title text, u uuid, m mood, d date, n numeric, f float8, b bigint, s small, c char(3), embedding vector(64)
      );
      insert into typed values ('a', 'A', '00000000-0000-0000-0000-00000000000a', 'calm', '2026-01-31', 1.50, 0.1, 9007199254740993, 7, 'ab', '${vectorLiteral(wordVector("typed", 64))}')`;
    const filter_schema = {
      u: "string",
      m: "string",
      d: "string",
      n: "number",
      f: "number",
      b: "number",
      s: "number",
      c: "string",
    };
    const other = await createSourceOn(
      "typed",
      rows,
      { table: "typed", content_columns: "id,title,d,n,f,b,s" },
      filter_schema,
    );
    const matching = {
      u: "00000000-0000-0000-0000-00000000000A",
      m: "calm",
      d: "2026-01-31",
      n: 1.5,
      f: 0.1,
      b: "9007199254740993",
      s: 7,
      c: "ab",
    };
    for (const [column, value] of Object.entries(matching)) {
      expect([column, (await ask({ query: "typed", filters: { [column]: value } }, other)).body.count]).toEqual([
        column,
        1,
      ]);
    }
    const { metadata } = (await ask({ query: "typed", filters: matching }, other)).body.results[0];
    // A number that JavaScript would round keeps its digits as a text.
    expect(metadata).toMatchObject({ d: "2026-01-31", n: 1.5, f: 0.1, b: "9007199254740993", s: 7 });
    for (const [column, value] of [
      ["u", "no uuid"],
      ["m", "glad"],
      ["d", "2026-02-31"],
    ]) {
      const refused = await ask({ query: "typed", filters: { [column ?? ""]: value } }, other);
      expect([column, refused.status, refused.body.code]).toEqual([column, 400, "INVALID_FILTER"]);
    }
  });
});

describe("several tables", () => {
  const entries = [
    { label: "notes", table: "notes", model: "words", dimensions: 64, content_columns: "id,title,lang" },
    {
      label: "terms",
      table: "terms",
      model: "other",
      dimensions: 32,
      content_columns: "word,meaning",
      distance_metric: "l2",
    },
    {
      label: "ads",
      table: "ads",
      model: "words",
      dimensions: 64,
      content_columns: "id",
      distance_metric: "inner_product",
    },
  ];

  it("are searched together and merged by score, or one by one with target", async () => {
    const tables = `
      create table terms (word text primary key, meaning text, embedding vector(32));
      insert into terms values ('holidays', 'days off', '${vectorLiteral(wordVector("holidays", 32))}');
      create table ads (id text primary key, embedding vector(64));
      insert into ads values ('ad', '${vectorLiteral(wordVector("buy backups now", 64))}');
      create table notes (id integer primary key, title text, lang text, embedding vector(64));
      insert into notes select n, 'note ' || n, 'en', '${vectorLiteral(wordVector("holidays of all kinds", 64))}' from generate_series(1, 5) n`;
    const other = await createConfigured("several", tables, {
      connection_config: { embedding_configs: entries },
      filter_schema: { lang: "string" },
    });

    const together = (await ask({ query: "holidays", top_k: 20 }, other)).body;
    expect(together.count).toBe(7);
    expect(new Set(together.results.map(({ metadata }: any) => metadata["_target"]))).toEqual(
      new Set(["notes", "terms", "ads"]),
    );
    const scores = together.results.map(({ metadata }: any) => metadata["_score"]);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(together.results[0]).toMatchObject({
      id: "holidays",
      title: "days off",
      metadata: { _score: 1, _target: "terms" },
    });

    const one = (await ask({ query: "backups", target: "ads" }, other)).body;
    expect(one.results).toEqual([{ id: "ad", title: null, metadata: { _score: expect.any(Number), _target: "ads" } }]);

    const unknown = await ask({ query: "backups", target: "nowhere" }, other);
    expect(unknown.status).toBe(400);
    expect(unknown.body.detail).toBe('No such target. Targets of this data source: "notes", "terms", "ads".');
  });

  it("without the filtered column cannot match and are left out; as the target they are refused", async () => {
    const filtered = (await ask({ query: "holidays", filters: { lang: "en" } }, "db_several")).body;
    expect(new Set(filtered.results.map(({ metadata }: any) => metadata["_target"]))).toEqual(new Set(["notes"]));
    const refused = await ask({ query: "holidays", filters: { lang: "en" }, target: "terms" }, "db_several");
    expect(refused.body).toMatchObject({
      status: 400,
      code: "INVALID_FILTER",
      detail: 'Cannot filter on "lang". It has no filterable columns.',
    });
  });

  it("score by their metric: cosine 1 - d, inner product, l2 1 / (1 + d)", async () => {
    const rows = `
      create table scored (id text primary key, embedding vector(64));
      insert into scored values ('double', (select array_agg(x * 2)::vector(64) from unnest('${vectorLiteral(wordVector("score", 64))}'::vector::real[]) x))`;
    for (const [distance_metric, score] of [
      ["cosine", 1],
      ["inner_product", 2],
      ["l2", 0.5],
    ] as const) {
      const id = await createSourceOn(`scored_${distance_metric}`, rows, {
        table: "scored",
        content_columns: "id",
        distance_metric,
      });
      const { body } = await ask({ query: "score" }, id);
      expect(body.results[0].metadata["_score"]).toBeCloseTo(score, 4);
    }
  });
});

describe("rows without a usable vector", () => {
  it("are not found: neither none at all nor one of zeros", async () => {
    const rows = `
      create table sparse (id text primary key, embedding vector(64));
      insert into sparse values ('null', null), ('zero', array_fill(0, array[64])::vector), ('good', '${vectorLiteral(wordVector("good", 64))}')`;
    const id = await createSourceOn("sparse", rows, { table: "sparse", content_columns: "id" });
    expect(idsOf(await ask({ query: "good" }, id))).toEqual(["good"]);
  });
});

describe("a question", () => {
  it("to a source without a search configuration says so", async () => {
    await fixture.addSource(org, "bare");
    await fixture.call("PUT", "/api/wf/data-sources/db_bare/exposure", org.tokens.owner, { exposed: true });
    const { status, body } = await ask({ query: "x" }, "db_bare");
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "SEARCH_NOT_CONFIGURED",
      detail: "this data source has no semantic search configured",
    });
  });

  it.each([
    [{}, "query"],
    [{ query: "" }, "query"],
    [{ query: "  \n" }, "query"],
    [{ query: 5 }, "query"],
    [{ query: "x".repeat(8_001) }, "query"],
    [{ query: "x", filters: [] }, "filters"],
    [{ query: "x", filters: { lang: null } }, "filters.lang"],
    [{ query: "x", filters: { lang: { $ne: "en" } } }, "filters.lang"],
    [{ query: "x", filters: { lang: [] } }, "filters.lang"],
    [{ query: "x", sql: "select 1" }, ""],
    [{ query: "x", target: "" }, "target"],
  ])("that is malformed is refused with the place: %j", async (question, path) => {
    const { status, body } = await ask(question);
    expect(status).toBe(400);
    expect(body.problems[0].path.startsWith(path)).toBe(true);
  });

  it("that is refused costs no embedding", async () => {
    const before = models.asked.length;
    await ask({ query: "costly words", filters: { secret: "x" } });
    await ask({ query: "costly words", target: "nowhere" });
    await ask({ query: "costly words", top_k: 0 });
    await fixture.ask(org.tokens.viewer, "db_none", { query: "costly words" });
    expect(models.asked.length).toBe(before);
  });

  it("asked twice is embedded once", async () => {
    const before = models.asked.length;
    await Promise.all([ask({ query: "only once" }), ask({ query: "only once" })]);
    await ask({ query: "only once" });
    expect(models.asked.length).toBe(before + 1);
  });
});

/** A source of its own database, made by this SQL. */
async function createSourceOn(
  name: string,
  statements: string,
  entry: object,
  filter_schema: object = {},
): Promise<string> {
  const full = { label: name, model: "words", dimensions: 64, ...entry };
  return createConfigured(name, statements, { connection_config: { embedding_configs: [full] }, filter_schema });
}

async function createConfigured(name: string, statements: string, configuration: object): Promise<string> {
  const own = await createCustomerDatabase();
  customers.push(own);
  await own.owner.query(statements);
  return exposeNotes(fixture, org, own, { name, configuration });
}

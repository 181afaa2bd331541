import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vectorLiteral, wordModels, wordVector } from "../testing/word-model.ts";
import { writeName } from "./parse-names.ts";
import { createSourceUnderTest, type SourceUnderTest } from "./testing/source-under-test.ts";

let source: SourceUnderTest;

beforeAll(async () => {
  source = await createSourceUnderTest(wordModels());
});
afterAll(() => source.close());

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const VECTOR = vectorLiteral(wordVector("night shift", 64));

const HOSTILE = [
  "Upper Case",
  "select",
  "a.b",
  "a,b",
  'say "hi"',
  '"; drop table "Upper Case"; --',
  "' or 1=1 --",
  "$1",
  "%s",
  "\\",
  "tab\there",
  "line\nbreak",
  " padded ",
  "Größe",
  "e\u0301te\u0301",
  "\u00e9t\u00e9",
  "名前",
  "\u{1f511}",
  "\ufffd",
  "__proto__",
  "constructor",
  "x".repeat(63),
  "é".repeat(31),
];

describe("names that mean harm or are just unusual", () => {
  it.each(HOSTILE)("are no trouble: %j for schema, table, columns and filter", async (name) => {
    const { owner } = source.customer;
    const [vector, title, filter] = [`${name.slice(0, 20)}_v`, `${name.slice(0, 20)}_t`, `${name.slice(0, 20)}_f`];
    await owner.query(`create schema ${quoted(name)};
      create table ${quoted(name)}.${quoted(name)} (
        ${quoted(name)} integer, ${quoted(title)} text, ${quoted(filter)} integer, ${quoted(vector)} vector(64));
      insert into ${quoted(name)}.${quoted(name)} values (7, 'kept', 1, '${VECTOR}')`);
    await source.save({
      connection_config: {
        embedding_configs: [
          {
            label: "odd",
            table: `${writeName(name)}.${writeName(name)}`,
            columns: [vector],
            model: "words",
            dimensions: 64,
            content_columns: `${writeName(name)},${writeName(title)}`,
          },
        ],
      },
      filter_schema: { [filter]: "number" },
    });
    expect((await source.row()).search_plan?.entries[0]).toMatchObject({
      schema: name,
      table: name,
      vectorColumn: vector,
      contentColumns: [name, title],
    });
    expect(await source.search({ [filter]: ["1"] })).toEqual([["7", "kept", expect.any(Number)]]);
    expect(await source.search({ [filter]: ["2"] })).toEqual([]);
  });

  it.each([
    ["\ud83d", "half a character is not the sign that stands for it"],
    ["été", "letters with combined accents are not those with separate ones"],
  ])("are not confused: %j, since %s", async (name) => {
    const other = name.isWellFormed() ? name.normalize("NFD") : "\ufffd";
    const table = name.isWellFormed() ? name.normalize("NFC") : name;
    const error = await source.refusal({
      connection_config: {
        embedding_configs: [
          {
            label: "odd",
            table: `${writeName(other)}.${writeName(table)}`,
            model: "words",
            dimensions: 64,
            content_columns: "id",
          },
        ],
      },
    });
    expect(error.problems?.map(({ path }) => path)).toEqual(["connection_config.embedding_configs.0.table"]);
  });
});

describe("unusual tables", () => {
  it("can be partitioned, with an index of the whole", async () => {
    const { owner } = source.customer;
    await owner.query(`
      create table split (id integer, year integer, embedding vector(64)) partition by list (year);
      create table split_1 partition of split for values in (2024); create table split_2 partition of split default;
      insert into split values (1, 2024, '${VECTOR}'), (2, 2025, '${VECTOR}')`);
    const body = {
      connection_config: {
        embedding_configs: [{ label: "split", table: "split", model: "words", dimensions: 64, content_columns: "id" }],
      },
    };
    const statement = "create index on public.split using hnsw (embedding public.vector_cosine_ops)";
    const { warnings } = await source.save(body);
    expect(warnings.at(-1)?.message).toContain(`Run: ${statement}`);
    await owner.query("create index on split_1 using hnsw (embedding vector_cosine_ops)");
    await source.save(body);
    expect((await source.row()).search_plan?.entries[0]?.index).toBeNull();
    await owner.query(statement);
    await source.save(body);
    expect((await source.row()).search_plan?.entries[0]?.index).toBe("vector");
    expect(await source.search()).toHaveLength(2);
    expect(await source.readerGrants()).toEqual(["public: USAGE", "split.embedding: SELECT", "split.id: SELECT"]);
  });

  it("can have columns of domains, whose base types count", async () => {
    const { owner } = source.customer;
    await owner.query(`
      create domain meaning as vector(64); create domain deep_meaning as meaning;
      create domain age as integer check (value > 0); create domain old_age as age;
      create table aged (id integer, age old_age, embedding deep_meaning);
      insert into aged values (1, 70, '${VECTOR}'), (2, 80, '${VECTOR}')`);
    const body = {
      connection_config: {
        embedding_configs: [{ label: "aged", table: "aged", model: "words", dimensions: 64, content_columns: "id" }],
      },
      filter_schema: { age: "number" },
    };
    const { warnings } = await source.save(body);
    const advised = /Run: (create index .* using .*)$/.exec(
      warnings.find(({ path }) => path.endsWith("columns.0"))?.message ?? "",
    )?.[1];
    // No index can be on the column of a domain itself.
    expect(advised).toBe(
      "create index concurrently on public.aged using hnsw ((embedding::public.halfvec(64)) public.halfvec_cosine_ops)",
    );
    await owner.query(advised ?? "");
    await source.save(body);
    expect((await source.row()).search_plan?.entries[0]).toMatchObject({
      filterCasts: { age: "pg_catalog.int4" },
      index: "halfvec",
    });
    expect(await source.search({ age: ["80"] })).toEqual([["2", expect.any(Number)]]);
  });

  it("can be filtered by every type that a value fits, each cast to its own", async () => {
    const { owner } = source.customer;
    await source.asAdmin("create extension citext schema public");
    const columns: Record<string, [type: string, filter: string, cast: string, value: string]> = {
      c_text: ["text", "string", "pg_catalog.text", "x"],
      c_varchar: ["varchar(5)", "string", "pg_catalog.varchar", "x"],
      c_char: ["char(5)", "string", "pg_catalog.bpchar", "x"],
      c_citext: ["citext", "string", '"public"."citext"', "x"],
      c_uuid: ["uuid", "string", "pg_catalog.uuid", "01890a5d-ac96-774b-bcce-b302099a8057"],
      c_enum: ['moods."My ""Mood"""', "string", '"moods"."My ""Mood"""', "good"],
      c_date: ["date", "string", "pg_catalog.date", "2026-01-02"],
      c_time: ["time", "string", "pg_catalog.time", "10:00"],
      c_timetz: ["timetz", "string", "pg_catalog.timetz", "10:00+00"],
      c_timestamp: ["timestamp", "string", "pg_catalog.timestamp", "2026-01-02 10:00"],
      c_timestamptz: ["timestamptz", "string", "pg_catalog.timestamptz", "2026-01-02 10:00Z"],
      c_interval: ["interval", "string", "pg_catalog.interval", "1 day"],
      c_int2: ["int2", "number", "pg_catalog.int2", "3"],
      c_int4: ["int4", "number", "pg_catalog.int4", "3"],
      c_int8: ["int8", "number", "pg_catalog.int8", "3"],
      c_numeric: ["numeric(9,2)", "number", "pg_catalog.numeric", "3"],
      c_float4: ["float4", "number", "pg_catalog.float4", "0.5"],
      c_float8: ["float8", "number", "pg_catalog.float8", "0.5"],
      c_bool: ["bool", "boolean", "pg_catalog.bool", "true"],
    };
    const all = Object.entries(columns);
    await owner.query(`
      create schema moods; create type moods."My ""Mood""" as enum ('good', 'bad');
      create table typed (id integer, embedding vector(64), ${all.map(([name, [type]]) => `${name} ${type}`).join(", ")});
      insert into typed values (1, '${VECTOR}', ${all.map(([, [, , , value]]) => `'${value}'`).join(", ")})`);
    await source.save({
      connection_config: {
        embedding_configs: [{ label: "typed", table: "typed", model: "words", dimensions: 64, content_columns: "id" }],
      },
      filter_schema: Object.fromEntries(all.map(([name, [, filter]]) => [name, filter])),
    });
    const casts = Object.fromEntries(all.map(([name, [, , cast]]) => [name, cast]));
    expect((await source.row()).search_plan?.entries[0]?.filterCasts).toEqual(casts);
    expect(await source.readerGrants()).toContain("moods: USAGE");
    const found = await Promise.all(all.map(([name, [, , , value]]) => source.search({ [name]: [value] })));
    expect(all.filter((_, place) => found[place]?.length !== 1)).toEqual([]);
  });

  it("are told of when row-level security hides their rows", async () => {
    await source.customer.owner.query(`
      create table guarded (id integer, embedding vector(64)); alter table guarded enable row level security;
      create index on guarded using hnsw (embedding vector_cosine_ops);
      insert into guarded values (1, '${VECTOR}')`);
    const { warnings } = await source.save({
      connection_config: {
        embedding_configs: [
          { label: "guarded", table: "guarded", model: "words", dimensions: 64, content_columns: "id" },
        ],
      },
    });
    expect(warnings).toContainEqual({
      path: "connection_config.embedding_configs.0.table",
      message: "table guarded has row-level security: only rows that its policies show to everyone are found",
    });
    expect(await source.search()).toEqual([]);
  });
});

import { type Finding, type SourceHealth, sourceHealthSchema } from "@svc/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSourceUnderTest, type SourceUnderTest } from "../search-configuration/testing/source-under-test.ts";
import { createNotes, NOTES_CONFIGURATION } from "../testing/notes.ts";
import { wordModels } from "../testing/word-model.ts";
import { checkSourceHealth } from "./check-source-health.ts";

let source: SourceUnderTest;
const models = wordModels();

beforeAll(async () => {
  source = await createSourceUnderTest(models);
});
afterAll(() => source.close());
beforeEach(async () => {
  await source.customer.owner.query("drop table if exists notes, more, split");
  await createNotes(source.customer);
  await source.customer.owner.query(`
    create index by_meaning on notes using hnsw (embedding vector_cosine_ops);
    create index on notes (lang); create index on notes (year); create index on notes (draft); analyze notes`);
  await source.save(NOTES_CONFIGURATION);
});

async function health(): Promise<SourceHealth> {
  const found = await checkSourceHealth(source.context, source.org.id, "db_notes");
  return sourceHealthSchema.parse(found);
}

/** The findings that are not well, as `code target: message`; this server's old pgvector is not what is tested. */
async function faults(level?: Finding["level"]): Promise<string[]> {
  const { findings } = await health();
  return findings
    .filter((finding) => finding.level !== "ok" && finding.code !== "extension_version")
    .filter((finding) => level === undefined || finding.level === level)
    .map(({ code, target, message }) => `${code} ${target}: ${message}`);
}

const configure = (change: object, filters: object = {}): Promise<unknown> => {
  const entry = { label: "more", table: "more", model: "words", dimensions: 64, content_columns: "id", ...change };
  return source.save({ connection_config: { embedding_configs: [entry] }, filter_schema: filters });
};

describe("the health of a source", () => {
  it("says of everything that was looked at that it is well", async () => {
    const { findings, ...rest } = await health();
    expect(rest).toMatchObject({ source_id: "db_notes", status: "warning", pgvector_version: "0.8.0" });
    expect(findings.map(({ level, code, target, message }) => [level, code, target, message])).toEqual([
      ["ok", "configuration", null, "Tables, columns, dimensions and models are as the configuration says."],
      ["warning", "extension_version", null, expect.stringContaining("pgvector is 0.8.0: 0.8.2 mends")],
      ["ok", "vector_index", "notes", "Index public.by_meaning serves cosine."],
      ["ok", "empty_vectors", "notes", "Every row has a vector (by the last statistics)."],
      ["ok", "filter_index", "notes", "Every filter column has an index."],
      ["ok", "statistics", "notes", "Statistics were gathered."],
      [
        "ok",
        "reader_access",
        null,
        "The reader can read the configured columns, and no others, and can change nothing.",
      ],
    ]);
  });

  it("changes nothing", async () => {
    const before = { row: await source.row(), grants: await source.readerGrants(), changes: source.changes() };
    await health();
    expect({ row: await source.row(), grants: await source.readerGrants(), changes: source.changes() }).toEqual(before);
  });

  it("says that nothing is configured yet", async () => {
    await source.save({ connection_config: { embedding_configs: [] } });
    const { status, findings } = await health();
    expect(status).toBe("warning");
    expect(findings.map(({ level, message }) => [level, message])).toEqual([
      ["warning", "No search configuration is saved, so nothing can be asked: save one."],
      ["ok", "pgvector is 0.8.0."],
      ["ok", "The reader can read the configured columns, and no others, and can change nothing."],
    ]);
  });

  it("shows each thing that no longer is as it was saved", async () => {
    await source.customer.owner.query(`
      alter table notes rename column title to heading; alter table notes alter column year type text;
      drop index by_meaning; alter table notes alter column embedding type vector(32) using subvector(embedding, 1, 32)`);
    expect((await health()).status).toBe("error");
    expect((await faults("error")).toSorted()).toEqual(
      [
        "configuration notes: connection_config.embedding_configs.0.dimensions: column embedding is vector(32), the configuration says 64 dimensions",
        'configuration notes: connection_config.embedding_configs.0.content_columns: column "title" is not in table notes; it has: id, heading, body, lang, year, draft, secret, embedding',
        "configuration notes: filter_schema.year: column year of table notes is text, which fits the filter type string, not number",
        "reader_access null: The reader cannot read notes.title, so searches fail: save the configuration again.",
      ].toSorted(),
    );
  });

  it("shows that the table is gone, and a model that is no longer set up", async () => {
    await source.customer.owner.query("drop table notes");
    const { context } = source;
    const without = { ...context, models: wordModels({ other: 64 }) };
    const { findings } = await checkSourceHealth(without, source.org.id, "db_notes");
    expect(findings.filter(({ code, level }) => code === "configuration" && level === "error")).toMatchObject([
      {
        target: "notes",
        message:
          'connection_config.embedding_configs.0.table: table "notes" is not in schema public; it has no tables: create one',
      },
      { target: "notes", message: expect.stringContaining('model "words" is not set up; models here are: other') },
    ]);
  });

  it("asks for another save when an index came after the last", async () => {
    await source.customer.owner.query("drop index by_meaning");
    await source.save(NOTES_CONFIGURATION);
    expect(await faults()).toEqual([expect.stringContaining("vector_index notes: no index serves cosine")]);
    await source.customer.owner.query("create index on notes using hnsw (embedding vector_cosine_ops)");
    expect(await faults()).toEqual([
      "configuration notes: A type or an index was changed since the configuration was saved: save it again, so that searches use it.",
    ]);
    await source.save(NOTES_CONFIGURATION);
    expect(await faults()).toEqual([]);
  });

  it("shows filters without an index, and statistics that were never gathered", async () => {
    await source.customer.owner.query(`
      create table more (id integer, lang text, embedding vector(64)); alter table more set (autovacuum_enabled = off);
      create index on more using hnsw (embedding vector_cosine_ops);
      insert into more select 1, 'en', embedding from notes`);
    await configure({}, { lang: "string" });
    expect(await faults()).toEqual([
      "filter_index more: column lang of table more has no index: a filter on it reads the whole table. Run: create index concurrently on public.more (lang)",
      "statistics more: Statistics were never gathered, so the planner guesses how many rows pass a filter. Run: analyze public.more",
    ]);
  });
});

describe("rows without a vector", () => {
  const fill = async (rows: number, empty: number): Promise<void> => {
    await source.customer.owner.query(`
      create table more (id integer, embedding vector(64)); alter table more set (autovacuum_enabled = off);
      create index on more using hnsw (embedding vector_cosine_ops);
      insert into more select n, case when n > ${empty} then (select embedding from notes limit 1) end
        from generate_series(1, ${rows}) n`);
    await configure({});
  };
  const emptyVectors = async (): Promise<unknown> => {
    const { findings } = await health();
    return findings.filter(({ code }) => code === "empty_vectors").map(({ level, message }) => [level, message])[0];
  };

  it.each([
    [200, 0, "ok", "Every row has a vector (among the first 200 rows)."],
    [
      200,
      25,
      "warning",
      "12.5 % of the rows have no vector in embedding (among the first 200 rows) and are never found: embed them.",
    ],
    [
      200,
      200,
      "error",
      "100 % of the rows have no vector in embedding (among the first 200 rows) and are never found: embed them.",
    ],
    [0, 0, "warning", "Table more has no rows, so nothing is ever found: fill it."],
  ])("are counted before statistics are there: of %i rows %i", async (rows, empty, level, message) => {
    await fill(rows, empty);
    expect(await emptyVectors()).toEqual([level, message]);
  });

  it("are counted among the first only, in a table of many", async () => {
    await fill(2_000, 1_000);
    expect(await emptyVectors()).toEqual(["error", expect.stringContaining("among the first 1000 rows")]);
    await source.customer.owner.query("analyze more");
    expect(await emptyVectors()).toEqual(["warning", expect.stringMatching(/^50 % .*by the last statistics/)]);
  });

  it("are known of a partitioned table by its own statistics", async () => {
    await source.customer.owner.query(`
      create table split (id integer, embedding vector(64)) partition by range (id);
      create table split_1 partition of split for values from (0) to (100);
      create table split_2 partition of split for values from (100) to (1000);
      create index on split using hnsw (embedding vector_cosine_ops);
      insert into split select n, case when n < 100 then (select embedding from notes limit 1) end
        from generate_series(1, 199) n; analyze split`);
    await configure({ table: "split" });
    expect(await emptyVectors()).toEqual(["warning", expect.stringMatching(/^50.3 % .*by the last statistics/)]);
  });
});

describe("the reader's access", () => {
  it("that is missing is an error", async () => {
    const { owner, names } = source.customer;
    await owner.query(`revoke select (body, lang) on notes from ${names.readerRole}`);
    expect(await faults()).toEqual([
      "reader_access null: The reader cannot read notes.body, notes.lang, so searches fail: save the configuration again.",
    ]);
  });

  it("to more than is configured is a warning, whoever it came from, and its being able to write an error", async () => {
    const { owner, names } = source.customer;
    await owner.query(`
      create table more as select * from notes; grant select on more to public;
      grant select (secret), update (title) on notes to ${names.readerRole}`);
    expect(await faults()).toEqual([
      "reader_access null: The reader can change notes: revoke that from it and from public.",
      "reader_access null: The reader can read more.id, more.title, more.body, more.lang, more.year and more, which no search needs: save the configuration again, and revoke what public was granted.",
    ]);
    await source.save(NOTES_CONFIGURATION);
    await owner.query("revoke select on more from public");
    expect(await faults()).toEqual([]);
  });

  it("is missed when the reader cannot connect", async () => {
    const { names } = source.customer;
    await source.asAdmin(`alter role ${names.readerRole} nologin`);
    const found = await faults();
    await source.asAdmin(`alter role ${names.readerRole} login`);
    expect(found).toEqual([
      "reader_access null: The reader cannot connect, so searches fail. The database cannot be reached or is busy. Try again shortly.",
    ]);
  });
});

describe("a database that cannot be looked into", () => {
  const withDatabase = async (change: ReturnType<typeof sql>): Promise<SourceHealth> => {
    const { db } = source.context;
    const { address } = await source.row();
    await sql`update data_sources.databases set ${change}`.execute(db);
    const found = await health();
    await sql`update data_sources.databases set status = 'ready', delete_after = null,
      address = ${JSON.stringify(address)}::jsonb`.execute(db);
    return found;
  };
  const finding = (message: string): object => ({ level: "error", code: "configuration", target: null, message });

  it("is one finding, not a failure, when nobody answers", async () => {
    const found = await withDatabase(sql`address = '{"host": "127.0.0.1", "port": 1, "tls": false}'`);
    expect(found).toMatchObject({ status: "error", pgvector_version: null });
    expect(found.findings).toEqual([finding("The database cannot be reached or is busy. Try again shortly.")]);
  });

  it("is one finding while it is being made", async () => {
    const { findings } = await withDatabase(sql`status = 'creating', address = null`);
    expect(findings).toEqual([finding("The database notes is still being made. Look again shortly.")]);
  });

  it("is a 404 for a source that is none", async () => {
    await expect(checkSourceHealth(source.context, source.org.id, "db_none")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

import { savedSearchConfigurationSchema } from "@svc/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTES_CONFIGURATION, createNotes } from "../testing/notes.ts";
import { wordModels } from "../testing/word-model.ts";
import { saveSearchConfiguration } from "./save-search-configuration.ts";
import { createSourceUnderTest, type SourceUnderTest } from "./testing/source-under-test.ts";
import { authorIn } from "../testing/author-in.ts";

let source: SourceUnderTest;

beforeAll(async () => {
  source = await createSourceUnderTest(wordModels({ words: 64, "large-words": 3_000, "huge-words": 5_000 }));
  await createNotes(source.customer);
});
afterAll(() => source.close());

const entry = (change: object): object => ({
  label: "things",
  table: "things",
  model: "words",
  dimensions: 64,
  content_columns: "id",
  ...change,
});
const configuration = (change: object, filters: object = {}): object => ({
  connection_config: { embedding_configs: [entry(change)] },
  filter_schema: filters,
});

const VERSION_WARNING = {
  path: "connection_config.embedding_configs",
  message:
    "pgvector is 0.8.0: 0.8.2 mends an overflow in parallel index builds, 0.8.3 an HNSW index corruption by vacuum. Ask the operator to update it to 0.8.4 or newer",
};

/** All but the one about this machine's pgvector. */
async function warningsOf(body: object): Promise<string[]> {
  const { warnings } = await source.save(body);
  return warnings.filter(({ path }) => path !== VERSION_WARNING.path).map(({ message }) => message);
}

describe("a search configuration", () => {
  it("is saved as it was sent, with defaults, and with what the catalog says of it", async () => {
    const saved = await source.save(NOTES_CONFIGURATION);
    expect(savedSearchConfigurationSchema.parse(saved)).toEqual(saved);
    expect(saved).toMatchObject({
      source_id: "db_notes",
      search_configured: true,
      dry_run: false,
      connection_config: {
        embedding_configs: [
          {
            ...NOTES_CONFIGURATION.connection_config.embedding_configs[0],
            columns: ["embedding"],
            distance_metric: "cosine",
          },
        ],
      },
      filter_schema: NOTES_CONFIGURATION.filter_schema,
    });
    const row = await source.row();
    expect(row.connection_config).toEqual(saved.connection_config);
    expect(row.updated_at.toISOString()).toBe(saved.updated_at);
    expect(row.search_plan).toEqual({
      entries: [
        {
          label: "notes",
          model: "words",
          dimensions: 64,
          metric: "cosine",
          schema: "public",
          table: "notes",
          vectorColumn: "embedding",
          contentColumns: ["id", "title", "body", "lang", "year"],
          filterCasts: { lang: "pg_catalog.text", year: "pg_catalog.int4", draft: "pg_catalog.bool" },
          extensionSchema: "public",
          index: null,
        },
      ],
    });
    expect(source.changes()).toBe(1);
    expect(await source.search({ lang: ["de"] })).toEqual([
      ["3", "Urlaub", "alle haben dreissig tage urlaub", "de", 2025, expect.any(Number)],
    ]);
  });

  it("can be tried without being saved", async () => {
    const before = { row: await source.row(), grants: await source.readerGrants() };
    const body = configuration({ table: "notes", content_columns: "id, secret" });
    const tried = await source.save(body, { dryRun: true });
    expect(savedSearchConfigurationSchema.parse(tried)).toEqual(tried);
    expect(tried).toMatchObject({ dry_run: true, filter_schema: {}, search_configured: true });
    expect(tried.connection_config?.embedding_configs[0]?.content_columns).toBe("id, secret");
    expect({ row: await source.row(), grants: await source.readerGrants() }).toEqual(before);
    expect(source.changes()).toBe(1);
  });

  it("is taken away by an empty list of tables, and with it all access", async () => {
    await source.save(NOTES_CONFIGURATION);
    const cleared = await source.save({ connection_config: { embedding_configs: [] } });
    expect(cleared).toMatchObject({
      connection_config: null,
      filter_schema: {},
      search_configured: false,
      warnings: [],
    });
    expect(await source.row()).toMatchObject({ connection_config: null, search_plan: null, filter_schema: {} });
    expect(await source.readerGrants()).toEqual([]);
  });

  it("can name one table twice, with different columns", async () => {
    const entries = [
      entry({ table: "notes" }),
      entry({ label: "titles", table: "notes", content_columns: "id, title" }),
    ];
    await source.save({ connection_config: { embedding_configs: entries } });
    expect(await source.readerGrants()).toEqual([
      "notes.embedding: SELECT",
      "notes.id: SELECT",
      "notes.title: SELECT",
      "public: USAGE",
    ]);
  });

  it("is of a source that exists in the organization", async () => {
    const { context, org } = source;
    for (const id of ["db_nothing", "ds_01h455vb4pex5vsknk084sn02q", "notes", ""]) {
      await expect(saveSearchConfiguration(context, authorIn(org.id), id, {}, { dryRun: false })).rejects.toMatchObject(
        {
          code: "NOT_FOUND",
          message: "No such data source.",
        },
      );
    }
    const stranger = "org_01h455vb4pex5vsknk084sn02q";
    await expect(
      saveSearchConfiguration(context, authorIn(stranger), "db_notes", {}, { dryRun: false }),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it.each([
    ["creating", "null", "The database notes is still being made: try again shortly."],
    ["deleting", "now()", "The database notes is deleted: restore it first."],
  ])("is not saved while the database is %s", async (status, deleteAfter, message) => {
    const { db } = source.context;
    const set = (to: string, after: string): Promise<unknown> =>
      sql`update data_sources.databases set status = ${to}, delete_after = ${sql.raw(after)}`.execute(db);
    await set(status, deleteAfter);
    expect(await source.refusal(NOTES_CONFIGURATION)).toMatchObject({ code: "CONFLICT", message });
    await set("ready", "null");
  });
});

describe("the index of a configured table", () => {
  it.each([
    ["cosine", "vector_cosine_ops"],
    ["l2", "vector_l2_ops"],
    ["inner_product", "vector_ip_ops"],
  ])("for %s is asked for in a statement that can be run as it is, and is then found", async (metric, operators) => {
    const table = `indexed_${metric}`;
    await createNotes(source.customer, table);
    const body = configuration({ table, distance_metric: metric });
    const statement = `create index concurrently on public.${table} using hnsw (embedding public.${operators})`;
    expect(await warningsOf(body)).toEqual([
      `no index serves ${metric} on column embedding: every search reads the whole table. Run: ${statement}`,
    ]);
    await source.customer.owner.query(statement);
    expect(await warningsOf(body)).toEqual([]);
    expect((await source.row()).search_plan?.entries[0]).toMatchObject({ metric, index: "vector" });
    expect(await source.search()).toHaveLength(5);
  });

  it("for another metric is named, and what to do instead", async () => {
    const { owner } = source.customer;
    await createNotes(source.customer, "mismatched");
    await owner.query("create index other on mismatched using ivfflat (embedding vector_l2_ops) with (lists = 1)");
    expect(await warningsOf(configuration({ table: "mismatched" }))).toEqual([
      "index public.other serves l2, not cosine: every search reads the whole table. Set distance_metric to l2 if the model is made for it, or run: create index concurrently on public.mismatched using hnsw (embedding public.vector_cosine_ops)",
    ]);
    expect((await source.row()).search_plan?.entries[0]?.index).toBeNull();
    expect(await warningsOf(configuration({ table: "mismatched", distance_metric: "l2" }))).toEqual([]);
  });

  it("does not count where it covers some rows only, or is not valid", async () => {
    const { owner } = source.customer;
    await createNotes(source.customer, "partly");
    await owner.query(`create index partial on partly using hnsw (embedding vector_cosine_ops) where lang = 'en'`);
    const create = "create index concurrently on public.partly using hnsw (embedding public.vector_cosine_ops)";
    expect(await warningsOf(configuration({ table: "partly" }))).toEqual([
      `index public.partial covers only some rows: every search reads the whole table. Run: ${create}`,
    ]);
    await owner.query("drop index partial; create index broken on partly using hnsw (embedding vector_cosine_ops)");
    await source.asAdmin("update pg_index set indisvalid = false where indexrelid = 'public.broken'::regclass");
    expect(await warningsOf(configuration({ table: "partly" }))).toEqual([
      "index public.broken is not valid: its build failed or still runs. If it failed, run: drop index public.broken",
      `no index serves cosine on column embedding: every search reads the whole table. Run: ${create}`,
    ]);
    expect((await source.row()).search_plan?.entries[0]?.index).toBeNull();
  });

  it("can be of halfvec, and is asked for so where no vector fits in", async () => {
    await source.customer.owner.query('create table large (id integer, "select" vector(3000))');
    const body = configuration({ table: "large", columns: ["select"], model: "large-words", dimensions: 3_000 });
    const statement =
      'create index concurrently on public.large using hnsw (("select"::public.halfvec(3000)) public.halfvec_cosine_ops)';
    expect(await warningsOf(body)).toEqual([
      `no index serves cosine on column select: every search reads the whole table. Beyond 2000 dimensions an index holds halfvec. Run: ${statement}`,
    ]);
    await source.customer.owner.query(statement);
    expect(await warningsOf(body)).toEqual([]);
    expect((await source.row()).search_plan?.entries[0]?.index).toBe("halfvec");
    expect(await source.search()).toEqual([]);
  });

  it("is not asked for where there can be none", async () => {
    await source.customer.owner.query("create table huge (id integer, embedding vector(5000))");
    expect(await warningsOf(configuration({ table: "huge", model: "huge-words", dimensions: 5_000 }))).toEqual([
      "no index serves cosine on column embedding: every search reads the whole table. No index holds 5000 dimensions (the most is 4000): use a model of fewer dimensions if it is slow",
    ]);
  });

  it("of a filter is asked for, unless there is one; and the server's pgvector is judged", async () => {
    const { owner } = source.customer;
    await createNotes(source.customer, "filtered");
    await owner.query(`create index on filtered using hnsw (embedding vector_cosine_ops);
      create index on filtered (lang, year); create index on filtered (draft) where draft`);
    const body = configuration(
      { table: "filtered" },
      { id: "number", lang: "string", year: "number", draft: "boolean" },
    );
    const missing = (column: string): object => ({
      path: `filter_schema.${column}`,
      message: `column ${column} of table filtered has no index: a filter on it reads the whole table. Run: create index concurrently on public.filtered (${column})`,
    });
    expect((await source.save(body)).warnings).toEqual([VERSION_WARNING, missing("year"), missing("draft")]);
    await owner.query("create index concurrently on public.filtered (year)");
    await owner.query("create index concurrently on public.filtered (draft)");
    expect((await source.save(body)).warnings).toEqual([VERSION_WARNING]);
  });

  it("is asked for at most as often as an answer has room for", async () => {
    const columns = Array.from({ length: 30 }, (_, n) => `c${n}`);
    const tables = Array.from({ length: 8 }, (_, n) => `wide_${n}`);
    for (const table of tables) {
      await source.customer.owner.query(
        `create table ${table} (id integer, embedding vector(64), ${columns.map((name) => `${name} text`).join(", ")})`,
      );
    }
    const saved = await source.save({
      connection_config: { embedding_configs: tables.map((table) => entry({ label: table, table })) },
      filter_schema: Object.fromEntries(columns.map((name) => [name, "string"])),
    });
    expect(saved.warnings).toHaveLength(200);
    expect(savedSearchConfigurationSchema.safeParse(saved).success).toBe(true);
  });
});

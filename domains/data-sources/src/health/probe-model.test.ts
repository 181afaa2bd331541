import { modelProbeSchema, type ModelProbe } from "@svc/contract";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSourceUnderTest, type SourceUnderTest } from "../search-configuration/testing/source-under-test.ts";
import { vectorLiteral, wordModels, wordVector } from "../testing/word-model.ts";
import { probeModel } from "./probe-model.ts";
import { authorIn } from "../testing/author-in.ts";

let source: SourceUnderTest;
const models = wordModels();

beforeAll(async () => {
  source = await createSourceUnderTest(models);
});
afterAll(() => source.close());

const ADJECTIVES = [
  "annual",
  "broken",
  "cheap",
  "digital",
  "early",
  "foreign",
  "global",
  "hidden",
  "internal",
  "joint",
];
const NOUNS = [
  "budget",
  "contract",
  "delivery",
  "employee",
  "factory",
  "garden",
  "holiday",
  "invoice",
  "journey",
  "kitchen",
];
const VERBS = ["grows", "fails", "starts", "ends", "moves", "waits"];

const titleOf = (n: number): string => `${ADJECTIVES[n % 10]} ${NOUNS[Math.floor(n / 10) % 10]}`;
const bodyOf = (n: number): string => `the ${titleOf(n * 7)} ${VERBS[n % 6]} before number ${n}`;

/** Vectors of another model: as long as ours, and nothing to do with ours. */
function foreignVector(text: string): Float32Array {
  const numbers = [0, 1].flatMap((part) => [...createHash("sha256").update(`${part} ${text}`).digest()]);
  return Float32Array.from(numbers, (number) => number - 127.5);
}

async function createArticles(table: string, rows: number, embed: (n: number) => Float32Array): Promise<void> {
  const { owner } = source.customer;
  await owner.query(`create table ${table} (id integer, title text, body text, secret text, embedding vector(64))`);
  for (let n = 0; n < rows; n += 1) {
    await owner.query(`insert into ${table} values ($1, $2, $3, 'kept', $4)`, [
      n,
      titleOf(n),
      bodyOf(n),
      vectorLiteral(embed(n)),
    ]);
  }
}

const entry = (table: string, change: object = {}): object => ({
  label: table,
  table,
  model: "words",
  dimensions: 64,
  content_columns: "id, title, body",
  ...change,
});

async function probe(entries: object[], target?: string): Promise<ModelProbe["entries"]> {
  await source.save({ connection_config: { embedding_configs: entries } });
  const probed = await probeModel(source.context, authorIn(source.org.id), "db_notes", { target });
  expect(modelProbeSchema.parse(probed)).toEqual(probed);
  expect(probed.source_id).toBe("db_notes");
  return probed.entries;
}

describe("the probe of a model", () => {
  it.each(["cosine", "l2", "inner_product"])("knows the vectors of its own by %s", async (distance_metric) => {
    const table = `own_${distance_metric}`;
    await createArticles(table, 120, (n) => wordVector(`${titleOf(n)} ${bodyOf(n)}`, 64));
    const [found] = await probe([entry(table, { distance_metric })]);
    expect(found).toMatchObject({ target: table, model: "words", sampled: 20, verdict: "fits" });
    expect(found?.found).toBeGreaterThanOrEqual(18);
    expect(found?.message).toMatch(
      /^\d+ of 20 rows were found again by their own text: the vectors look like those of words\.$/,
    );
  });

  it("knows them also when they were made of the titles alone", async () => {
    await createArticles("titled", 100, (n) => wordVector(titleOf(n), 64));
    expect(await probe([entry("titled")])).toMatchObject([{ verdict: "fits", sampled: 20, found: 20 }]);
  });

  it("tells vectors of another model, however long", async () => {
    await createArticles("foreign_ones", 300, (n) => foreignVector(`${titleOf(n)} ${bodyOf(n)}`));
    const [found] = await probe([entry("foreign_ones")]);
    expect(found).toMatchObject({ sampled: 20, verdict: "does_not_fit" });
    expect(found?.found).toBeLessThanOrEqual(6);
    expect(found?.message).toContain("Name the model that filled the column, or fill it anew.");
  });

  it("is not fooled by a small table, where ten neighbours are nearly everything", async () => {
    await createArticles("small_foreign", 14, (n) => foreignVector(bodyOf(n)));
    await createArticles("small_own", 14, (n) => wordVector(`${titleOf(n)} ${bodyOf(n)}`, 64));
    const [foreign, own] = await probe([entry("small_foreign"), entry("small_own")]);
    expect(foreign?.verdict).not.toBe("fits");
    expect(own).toMatchObject({ sampled: 14, verdict: "fits" });
  });

  it("does not judge by fewer than ten rows, or by none", async () => {
    await createArticles("nine", 9, (n) => wordVector(bodyOf(n), 64));
    await createArticles("none", 0, () => new Float32Array(64));
    const entries = [entry("nine"), entry("none"), entry("nine", { label: "ids", content_columns: "id" })];
    expect((await probe(entries)).map(({ verdict, message }) => [verdict, message])).toEqual([
      ["unclear", "Only 9 rows have a vector: too few to tell. Probe again at 10."],
      ["unclear", "No row has both a vector and content: fill the table, then probe again."],
      ["unclear", "There is nothing to embed but the id: add a column to content_columns."],
    ]);
  });

  it("copes with rows that have no vector, no words or a vector of zeros", async () => {
    await createArticles("gaps", 60, (n) =>
      n % 3 === 0 ? new Float32Array(64) : wordVector(`${titleOf(n)} ${bodyOf(n)}`, 64),
    );
    await source.customer.owner.query(`
      update gaps set embedding = null where id % 3 = 1 and id < 30; update gaps set title = null, body = ' ' where id > 55`);
    const [found] = await probe([entry("gaps")]);
    expect(found?.sampled).toBeGreaterThan(10);
    expect(found?.found).toBeLessThanOrEqual(found?.sampled ?? 0);
  });

  it("sends the content of the sampled rows and of no other column, and only of the entry that is asked for", async () => {
    models.asked.length = 0;
    const [found, ...others] = await probe([entry("titled"), entry("small_own")], "small_own");
    expect([found?.target, others]).toEqual(["small_own", []]);
    expect(models.asked).toHaveLength(28);
    expect(models.asked.join(" ")).not.toContain("kept");
    const possible = new Set(Array.from({ length: 14 }, (_, n) => [`${titleOf(n)}\n${bodyOf(n)}`, titleOf(n)]).flat());
    expect(models.asked.filter((text) => !possible.has(text))).toEqual([]);
  });

  it("reads a large table from all over it, and a part of it only", async () => {
    await createArticles("large", 100, (n) => wordVector(`${titleOf(n)} ${bodyOf(n)}`, 64));
    const { owner } = source.customer;
    await owner.query(`insert into large select id + 100 * n, title, body, secret, embedding
      from large, generate_series(1, 599) n; analyze large`);
    expect(await probe([entry("large")])).toMatchObject([{ sampled: 20, found: 20, verdict: "fits" }]);
  });
});

describe("a probe is refused", () => {
  it("for a target, a source or a configuration that is not there", async () => {
    const { context, org } = source;
    await source.save({ connection_config: { embedding_configs: [entry("titled")] } });
    await expect(probeModel(context, authorIn(org.id), "db_notes", { target: "x" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: 'No such target. Targets of this data source: "titled".',
    });
    await expect(probeModel(context, authorIn(org.id), "db_none", {})).rejects.toMatchObject({ code: "NOT_FOUND" });
    await source.save({ connection_config: { embedding_configs: [] } });
    await expect(probeModel(context, authorIn(org.id), "db_notes", {})).rejects.toMatchObject({
      code: "SEARCH_NOT_CONFIGURED",
      message: "this data source has no semantic search configured",
    });
  });

  it("where the database no longer fits the configuration", async () => {
    await source.save({ connection_config: { embedding_configs: [entry("titled")] } });
    await source.customer.owner.query("alter table titled rename to renamed");
    await expect(probeModel(source.context, authorIn(source.org.id), "db_notes", {})).rejects.toMatchObject({
      code: "SEARCH_CONFIGURATION_STALE",
    });
    await source.customer.owner.query(`alter table renamed rename to titled; update titled set embedding = null;
      alter table titled alter column embedding type vector(32)`);
    expect(await probeModel(source.context, authorIn(source.org.id), "db_notes", {})).toMatchObject({
      entries: [{ verdict: "unclear", sampled: 0 }],
    });
  });

  it("never with a model that is gone: that is an answer", async () => {
    await createArticles("kept", 12, (n) => wordVector(bodyOf(n), 64));
    await source.save({ connection_config: { embedding_configs: [entry("kept")] } });
    const context = { ...source.context, models: wordModels({ other: 64 }) };
    expect((await probeModel(context, authorIn(source.org.id), "db_notes", {})).entries).toEqual([
      {
        target: "kept",
        model: "words",
        sampled: 0,
        found: 0,
        verdict: "unclear",
        message: "The model words is not set up any more: ask the operator to set it up.",
      },
    ]);
  });
});

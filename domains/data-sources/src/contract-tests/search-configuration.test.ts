import { ERRORS, ROLES } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vectorLiteral, wordVector } from "../testing/word-model.ts";
import { createDomainUnderTest, type DomainUnderTest } from "./testing/domain-under-test.ts";

let domain: DomainUnderTest;
let dsId: string;
/** Questions as they reached the models. */
const embedded: { model: string; text: string }[] = [];

const of = (text: string, dimensions = 64): string => `'${vectorLiteral(wordVector(text, dimensions))}'`;
const TABLES = `
  create table books (id integer primary key, title text, blurb text, pages integer, embedding vector(64), other vector(64));
  insert into books values (7, 'Whales', 'the sea', 300, ${of("whales")}, ${of("gardens")}),
    (8, 'Gardens', 'the soil', 200, ${of("gardens")}, ${of("whales")});
  create schema archive;
  create table archive.books (id integer primary key, title text, embedding vector(64));
  insert into archive.books values (70, 'Old whales', ${of("whales")});
  create table films (id integer primary key, title text, embedding vector(32));
  insert into films values (1, 'Whales at night', ${of("whales", 32)})`;

beforeAll(async () => {
  domain = await createDomainUnderTest({ modelDimensions: { words: 64, short: 32 } });
  dsId = await domain.addSource(domain.org, "shelf", await domain.addCustomer(TABLES));
  await domain.expose("db_shelf", { exposed: true });
  for (const model of domain.models.names()) {
    const embedder = domain.models.find(model);
    if (!embedder) continue;
    const { embed } = embedder;
    embedder.embed = (texts, signal) => {
      embedded.push(...texts.map((text) => ({ model, text })));
      return embed(texts, signal);
    };
  }
});
afterAll(() => domain?.close());

const BOOKS = { label: "books", table: "books", model: "words", dimensions: 64, content_columns: "id, title, blurb" };
const FILMS = { label: "films", table: "films", model: "short", dimensions: 32, content_columns: "id, title" };
const configuration = (entries: object[], filter_schema?: object): object => ({
  connection_config: { embedding_configs: entries },
  ...(filter_schema && { filter_schema }),
});
const save = (body: unknown, id = "db_shelf") => domain.save(id, body);
const saveEntry = (change: object, filter_schema?: object) =>
  save(configuration([{ ...BOOKS, ...change }], filter_schema));
const ask = (question: object) => domain.ask(domain.org.tokens.viewer, "db_shelf", question);
const targetOf = ({ metadata }: { metadata: Record<string, unknown> }): unknown => metadata["_target"];
const stored = () => domain.sourceOf("db_shelf");

const saveBoth = async (): Promise<void> => {
  const { status, text } = await save(configuration([BOOKS, FILMS], { pages: "number" }));
  expect([status, text]).toEqual([200, expect.any(String)]);
};

describe("a save", () => {
  beforeAll(saveBoth);

  it.each(["its ds_ id", "its db_ id"])(
    "takes the source by %s and answers what is stored, as the list does",
    async (by) => {
      const { status, body } = await save(
        configuration([BOOKS], { title: "string" }),
        by === "its ds_ id" ? dsId : "db_shelf",
      );
      const { warnings, dry_run, ...source } = body;
      expect([status, dry_run, Array.isArray(warnings)]).toEqual([200, false, true]);
      expect(source).toEqual(await stored());
      expect(source).toMatchObject({ id: dsId, source_id: "db_shelf", filter_schema: { title: "string" } });
    },
  );

  it("replaces the one before: its tables, labels and filters are gone unless they were sent again", async () => {
    await saveBoth();
    expect((await ask({ query: "whales", target: "films", filters: {} })).status).toBe(200);
    await save(configuration([{ ...BOOKS, label: "paper" }], { title: "string" }));
    const { connection_config, filter_schema } = await stored();
    expect(connection_config.embedding_configs.map(({ label }: any) => label)).toEqual(["paper"]);
    expect(filter_schema).toEqual({ title: "string" });
    for (const target of ["films", "books"]) expect((await ask({ query: "whales", target })).status).toBe(400);
    expect((await ask({ query: "whales", filters: { pages: 300 } })).body.code).toBe("INVALID_FILTER");
    const { results } = (await ask({ query: "whales", top_k: 20 })).body;
    expect(new Set(results.map(targetOf))).toEqual(new Set(["paper"]));
  });

  it("without filter_schema leaves nothing to filter on", async () => {
    await save(configuration([BOOKS]));
    expect((await stored()).filter_schema).toEqual({});
    const { status, body } = await ask({ query: "whales", filters: { pages: 300 } });
    expect([status, body.detail]).toEqual([400, 'Cannot filter on "pages". It has no filterable columns.']);
  });

  it("without connection_config is refused: nothing is kept by being left out", async () => {
    const before = await stored();
    const { status, body } = await save({ filter_schema: { title: "string" } });
    expect([status, body.problems[0].path]).toEqual([400, "connection_config"]);
    expect(await stored()).toEqual(before);
  });

  it.each(ROLES)("is for owner, admin and developer: %s", async (role) => {
    const url = "/api/wf/data-sources/db_shelf";
    const { status } = await domain.call("PUT", url, domain.org.tokens[role], configuration([BOOKS]));
    expect(status).toBe(["owner", "admin", "developer"].includes(role) ? 200 : 403);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/yaml", "multipart/form-data; boundary=x"])(
    "has to be JSON by its Content-Type; %s is a 415 that saves nothing",
    async (type) => {
      const before = await stored();
      const text = JSON.stringify(configuration([BOOKS]));
      const url = "/api/wf/data-sources/db_shelf";
      const { status } = await domain.call("PUT", url, domain.org.tokens.owner, text, { "content-type": type });
      expect(status).toBe(415);
      expect(await stored()).toEqual(before);
    },
  );

  it("that is only tried is checked like any other and changes nothing", async () => {
    const before = await stored();
    const tried = await save(configuration([BOOKS]), "db_shelf?dry_run=true");
    expect([tried.status, tried.body.dry_run, tried.body.filter_schema]).toEqual([200, true, {}]);
    expect((await save(configuration([{ ...BOOKS, table: "none" }]), "db_shelf?dry_run=true")).status).toBe(400);
    expect((await save(configuration([BOOKS]), "db_shelf?dry_run=perhaps")).status).toBe(400);
    expect(await stored()).toEqual(before);
  });
});

describe("a save that does not fit the database", () => {
  it("is refused with every problem of every entry at once, and nothing of it is saved", async () => {
    await saveBoth();
    const before = await stored();
    const entries = [
      { ...BOOKS, table: "bokos" },
      { ...BOOKS, label: "b", columns: ["embeding"], content_columns: "id, subtitle" },
      { ...BOOKS, label: "c", dimensions: 63 },
      { ...FILMS, model: "unheard-of" },
    ];
    const { status, body } = await save(configuration(entries, { lenght: "number" }));
    expect(status).toBe(400);
    const { title } = ERRORS.INVALID_SEARCH_CONFIGURATION;
    expect(title).toBe("Invalid search configuration");
    expect(body).toMatchObject({ title, status: 400, code: "INVALID_SEARCH_CONFIGURATION" });
    const at = (place: number, field: string): string => `connection_config.embedding_configs.${place}.${field}`;
    expect(body.problems.map(({ path }: any) => path)).toEqual(
      expect.arrayContaining([
        at(0, "table"),
        at(1, "columns.0"),
        at(1, "content_columns"),
        at(2, "dimensions"),
        at(3, "model"),
      ]),
    );
    expect(await stored()).toEqual(before);
    expect((await ask({ query: "whales", target: "films", filters: {} })).status).toBe(200);
  });

  it("is told its unknown fields by name, wherever they are", async () => {
    const body = { ...configuration([{ ...BOOKS, colour: 1 }]), exposed: true };
    Object.assign((body as any).connection_config, { host: "elsewhere" });
    const { problems } = (await save(body)).body;
    for (const [path, field] of [
      ["", "exposed"],
      ["connection_config", "host"],
      ["connection_config.embedding_configs.0", "colour"],
    ]) {
      expect(problems).toContainEqual({ path, message: `unknown field: ${field}` });
    }
  });
});

describe("an entry", () => {
  it("searches the column embedding unless it names another", async () => {
    await saveEntry({});
    expect((await stored()).connection_config.embedding_configs[0].columns).toEqual(["embedding"]);
    expect((await ask({ query: "whales", top_k: 1 })).body.results[0].title).toBe("Whales");
    await saveEntry({ columns: ["other"] });
    expect((await ask({ query: "whales", top_k: 1 })).body.results[0].title).toBe("Gardens");
  });

  it("finds its table by its name alone, or by schema and name", async () => {
    for (const [table, id] of [
      ["books", "7"],
      ["public.books", "7"],
      ["archive.books", "70"],
    ]) {
      expect((await saveEntry({ table, content_columns: "id, title" })).status).toBe(200);
      expect((await stored()).connection_config.embedding_configs[0].table).toBe(table);
      expect((await ask({ query: "whales", top_k: 1 })).body.results[0].id).toBe(id);
    }
  });

  it("shows its first content column as id, the second as title, the rest beside the score, and no other", async () => {
    await saveEntry({ content_columns: "title,id , pages" });
    const { results } = (await ask({ query: "whales", top_k: 1 })).body;
    const metadata = { pages: 300, _score: expect.any(Number), _target: "books" };
    expect(results).toEqual([{ id: "Whales", title: "7", metadata }]);
  });

  it("takes its content columns as one text and not as a list", async () => {
    const { status, body } = await saveEntry({ content_columns: ["id", "title"] });
    expect(status).toBe(400);
    expect(body.problems[0].path).toBe("connection_config.embedding_configs.0.content_columns");
  });

  it("compares by cosine unless it says l2 or inner_product, and knows no other way", async () => {
    await saveEntry({});
    expect((await stored()).connection_config.embedding_configs[0].distance_metric).toBe("cosine");
    for (const distance_metric of ["cosine", "l2", "inner_product"]) {
      expect((await saveEntry({ distance_metric })).body.connection_config.embedding_configs[0]).toMatchObject({
        distance_metric,
      });
    }
    for (const distance_metric of ["l1", "hamming", "COSINE", ""]) {
      expect((await saveEntry({ distance_metric })).status).toBe(400);
    }
  });

  it.each(["label", "table", "model", "dimensions", "content_columns"])("must have %s", async (field) => {
    const { status, body } = await saveEntry({ [field]: undefined });
    expect(status).toBe(400);
    expect(body.problems.map(({ path }: any) => path)).toEqual([`connection_config.embedding_configs.0.${field}`]);
  });

  it("has questions embedded with its own model, and nobody else's model is asked", async () => {
    await saveBoth();
    embedded.length = 0;
    await ask({ query: "whales or gardens" });
    expect(embedded.toSorted((a, b) => a.model.localeCompare(b.model))).toEqual([
      { model: "short", text: "whales or gardens" },
      { model: "words", text: "whales or gardens" },
    ]);
    embedded.length = 0;
    await ask({ query: "whales and soil", target: "films" });
    expect(embedded).toEqual([{ model: "short", text: "whales and soil" }]);
  });

  it("that stands for a table is what makes it searchable: others are not", async () => {
    await save(configuration([FILMS]));
    const { results } = (await ask({ query: "whales", top_k: 20 })).body;
    expect(results.map(({ title }: any) => title)).toEqual(["Whales at night"]);
    // None at all is no configuration.
    const { body } = await save(configuration([]));
    expect(body).toMatchObject({ connection_config: null, search_configured: false });
    expect((await ask({ query: "whales" })).body.detail).toBe("this data source has no semantic search configured");
  });
});

describe("filter_schema", () => {
  it("opens a column to filters without showing it", async () => {
    await saveEntry({}, { pages: "number" });
    const { results } = (await ask({ query: "anything", filters: { pages: 200 } })).body;
    expect(results.map(({ id }: any) => id)).toEqual(["8"]);
    expect(results[0].metadata).not.toHaveProperty("pages");
  });

  it("does not open a column because it is shown", async () => {
    await saveEntry({}, { pages: "number" });
    const { status, body } = await ask({ query: "anything", filters: { title: "Whales" } });
    expect([status, body.code]).toEqual([400, "INVALID_FILTER"]);
  });

  it.each(["date", "text", "integer", "", null, ["string"]])(
    "knows string, number and boolean alone; not %j",
    async (type) => {
      const { status, body } = await saveEntry({}, { pages: type });
      expect([status, body.problems[0].path]).toEqual([400, "filter_schema.pages"]);
    },
  );
});

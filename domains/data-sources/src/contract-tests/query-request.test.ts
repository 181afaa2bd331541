import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDomainUnderTest, type DomainUnderTest, JSON_WANTED } from "./testing/domain-under-test.ts";

let domain: DomainUnderTest;

beforeAll(async () => {
  domain = await createDomainUnderTest();
});
afterAll(() => domain?.close());

const ask = (question: object) => domain.ask(domain.org.tokens.viewer, "db_notes", question);
const idsFor = async (filters: object): Promise<string[]> => {
  const { status, body, text } = await ask({ query: "days", filters });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return body.results.map(({ id }: { id: string }) => id).toSorted();
};
const send = (payload: string, type: string) =>
  domain.call("POST", "/api/wf/slim/data-sources/db_notes/query", domain.org.tokens.viewer, payload, {
    ...JSON_WANTED,
    "content-type": type,
  });

describe("a question", () => {
  it("needs its words and nothing else: filters, top_k and target may be left out", async () => {
    const bare = await ask({ query: "holidays" });
    expect(bare.status).toBe(200);
    expect((await ask({ query: "holidays", filters: {}, top_k: 10, target: "notes" })).body).toEqual(bare.body);
  });

  it("finds the same by either id of the source", async () => {
    const { id } = await domain.sourceOf("db_notes");
    const byOther = await domain.ask(domain.org.tokens.viewer, id, { query: "holidays" });
    expect(byOther.body).toEqual((await ask({ query: "holidays" })).body);
  });

  it("is told its unknown fields by name", async () => {
    const { status, body } = await ask({ query: "x", limit: 5, select: "secret" });
    expect([status, body.problems]).toEqual([400, [{ path: "", message: "unknown field: limit, select" }]]);
  });

  it.each(["text/plain", "application/yaml", "application/x-www-form-urlencoded"])("is JSON, not %s", async (type) => {
    expect(await send(JSON.stringify({ query: "x" }), type)).toMatchObject({
      status: 415,
      body: { code: "UNSUPPORTED_MEDIA_TYPE" },
    });
  });

  it.each(["", "{", "null", "[]", '"x"', '{"query":"x"} {}'])("is one JSON object, not %j", async (payload) => {
    expect((await send(payload, "application/json")).status).toBe(400);
  });

  it("may be 8,000 characters long, of any script", async () => {
    expect((await ask({ query: "日".repeat(8_000) })).status).toBe(200);
    expect((await ask({ query: "日".repeat(8_001) })).status).toBe(400);
  });
});

describe("filters", () => {
  it("written as texts, as a terminal has them, mean what the column's type says", async () => {
    expect(await idsFor({ year: "2025" })).toEqual(await idsFor({ year: 2025 }));
    expect(await idsFor({ draft: "true" })).toEqual(["4"]);
    expect(await idsFor({ draft: ["true", "false"] })).toHaveLength(5);
    expect(await idsFor({ year: ["2023", "2024"], lang: ["en"] })).toEqual(["1", "5"]);
  });

  it("of one column mean either value, also where a value is given twice or matches nothing", async () => {
    expect(await idsFor({ lang: ["de", "de", "fr"] })).toEqual(["3"]);
    expect(await idsFor({ lang: "de" })).toEqual(await idsFor({ lang: ["de"] }));
  });

  it("of different columns must all match", async () => {
    expect(await idsFor({ lang: "en", year: 2025 })).toEqual(["2", "4"]);
    expect(await idsFor({ lang: "de", year: 2024 })).toEqual([]);
  });

  it("match the whole value and nothing like it", async () => {
    for (const lang of ["e", "en ", "EN", "e%", "_n", "*", "", "en,de"]) expect(await idsFor({ lang })).toEqual([]);
  });

  it("of another type than the column's are refused with column and type", async () => {
    for (const [filters, detail] of [
      [{ year: "last" }, 'The filter on "year" needs a number.'],
      [{ year: true }, 'The filter on "year" needs a number.'],
      [{ draft: 1 }, 'The filter on "draft" needs a boolean.'],
      [{ lang: 5 }, 'The filter on "lang" needs a string.'],
    ] as const) {
      expect(await ask({ query: "days", filters })).toMatchObject({
        status: 400,
        body: { code: "INVALID_FILTER", detail },
      });
    }
  });

  it("on columns that are not open are all named, with those that are", async () => {
    const { status, body } = await ask({ query: "days", filters: { secret: "x", title: "x", lang: "en" } });
    expect(status).toBe(400);
    expect(body.detail).toBe(
      'Cannot filter on "secret", "title". Filterable columns: lang (string), year (number), draft (boolean).',
    );
    expect(body.problems.map(({ path }: any) => path)).toEqual(["filters.secret", "filters.title"]);
  });
});

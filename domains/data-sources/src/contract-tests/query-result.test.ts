import { MAX_ANSWER_BYTES } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { vectorLiteral, wordVector } from "../testing/word-model.ts";
import { type Answer, createDomainUnderTest, type DomainUnderTest } from "./testing/domain-under-test.ts";

let domain: DomainUnderTest;
const vector = `'${vectorLiteral(wordVector("thing", 64))}'`;

beforeAll(async () => {
  domain = await createDomainUnderTest();
  await domain.customer.owner.query(`
    create table things (
      big bigint, code uuid, price numeric, made timestamptz, day date, is_new boolean, tags text[], more jsonb, empty text,
      embedding vector(64));
    insert into things values (9007199254740993, '0190a5d0-ac96-774b-bcce-b302099a8057', 1.50, '2026-03-01 12:00+02',
      '2026-03-01', true, '{a,b}', '{"deep": [1, null]}', null, ${vector});
    create table long_values (id integer, title text, body text, embedding vector(64));
    insert into long_values select n, 'row ' || n, repeat('word ' || n || ' ', 2000), ${vector} from generate_series(1, 20) n;
    create table wide_rows (id integer, title text, c1 text, c2 text, c3 text, c4 text, c5 text, c6 text, c7 text, c8 text,
      embedding vector(64));
    insert into wide_rows select n, repeat('t', 400), repeat('1', 99), repeat('2', 99), repeat('3', 99), repeat('4', 99),
      repeat('5', 99), repeat('6', 99), repeat('7', 99), repeat('8', 99), ${vector} from generate_series(1, 20) n`);
  const entry = (label: string, table: string, content_columns: string): object => {
    return { label, table, model: "words", dimensions: 64, content_columns };
  };
  const entries = [
    entry("numbered", "things", "big, price, made, day, is_new, tags, more, empty"),
    entry("coded", "things", "code, made"),
    entry("untitled", "things", "big, empty"),
    entry("single", "things", "empty"),
    entry("long", "long_values", "id, title, body"),
    entry("wide", "wide_rows", "id, title, c1, c2, c3, c4, c5, c6, c7, c8"),
  ];
  await domain.save("db_notes", { connection_config: { embedding_configs: entries } });
});
afterAll(() => domain?.close());

const QUERY = "/api/wf/slim/data-sources/db_notes/query";
const send = (question: object, accept?: string): Promise<Answer> =>
  domain.call("POST", QUERY, domain.org.tokens.viewer, question, accept === undefined ? {} : { accept });
const hitOf = async (target: string): Promise<any> => {
  const { body } = await send({ query: "thing", target, top_k: 1 }, "application/json");
  expect([body.count, body.results.length]).toEqual([1, 1]);
  return body.results[0];
};

describe("a hit", () => {
  it("has its id and its title as texts, whatever the columns are, with every digit", async () => {
    expect(await hitOf("numbered")).toMatchObject({ id: "9007199254740993", title: "1.50" });
    expect(await hitOf("coded")).toMatchObject({
      id: "0190a5d0-ac96-774b-bcce-b302099a8057",
      title: expect.stringMatching(/^2026-03-01/),
    });
  });

  it("without a title, or with none in the row, says null", async () => {
    expect(await hitOf("untitled")).toMatchObject({ id: "9007199254740993", title: null });
    expect(await hitOf("single")).toEqual({ id: "", title: null, metadata: expect.anything() });
  });

  it("has the other columns as what they are, times in UTC, and score and label beside them", async () => {
    expect((await hitOf("numbered")).metadata).toEqual({
      made: "2026-03-01T10:00:00Z",
      day: "2026-03-01",
      is_new: true,
      tags: ["a", "b"],
      more: { deep: [1, null] },
      empty: null,
      _score: 1,
      _target: "numbered",
    });
    expect((await hitOf("coded")).metadata).toEqual({ _score: 1, _target: "coded" });
  });
});

describe("an answer", () => {
  it("counts the hits that it has", async () => {
    for (const top_k of [1, 3, 20]) {
      const { body } = await send({ query: "thing", top_k }, "application/json");
      expect([body.count, body.results.length]).toEqual([top_k, top_k]);
    }
  });

  it.each([undefined, "*/*", "text/html,*/*;q=0.8", "application/yaml", "text/*", "application/xml"])(
    "is YAML for Accept: %s",
    async (accept) => {
      const answer = await send({ query: "thing", top_k: 1 }, accept);
      expect(answer.headers["content-type"]).toBe("application/yaml; charset=utf-8");
      expect(parse(answer.text)).toMatchObject({ count: 1, results: [{ metadata: { _score: 1 } }] });
    },
  );

  it.each(["application/json", "application/json, */*;q=0.1", "Application/JSON; charset=utf-8"])(
    "is JSON for Accept: %s",
    async (accept) => {
      const answer = await send({ query: "thing", top_k: 1 }, accept);
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(JSON.parse(answer.text)).toMatchObject({ count: 1 });
    },
  );
});

describe.each([
  ["YAML", "*/*", (text: string) => parse(text)],
  ["JSON", "application/json", (text: string) => JSON.parse(text)],
] as const)("an answer in %s that would be too long", (_format, accept, read) => {
  it("is at most 16 KiB of what is sent: long values are cut first, and all hits stay", async () => {
    const answer = await send({ query: "thing", target: "long", top_k: 20 }, accept);
    expect(Number(answer.headers["content-length"])).toBe(Buffer.byteLength(answer.text));
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    expect(Buffer.byteLength(answer.text)).toBeGreaterThan(MAX_ANSWER_BYTES * 0.9);
    const body = read(answer.text);
    expect([body.count, body.results.length]).toEqual([20, 20]);
    for (const { metadata } of body.results) expect(metadata.body).toMatch(/^word .*…$/);
    expect(body.truncated).toMatch(/values? .*(cut|short)/i);
  });

  it("loses its last hits where the values are short already, and counts those that are left", async () => {
    const answer = await send({ query: "thing", target: "wide", top_k: 20 }, accept);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    const body = read(answer.text);
    expect(body.count).toBe(body.results.length);
    expect(body.count).toBeLessThan(20);
    // Of equal scores the smaller id comes first, so it is known which are the last.
    const all = Array.from({ length: 20 }, (_, n) => String(n + 1)).toSorted();
    expect(body.results.map(({ id }: any) => id)).toEqual(all.slice(0, body.count));
    expect(body.truncated).toMatch(/hits?/);
  });

  it("says nothing of cuts where it fits", async () => {
    const answer = await send({ query: "thing", target: "wide", top_k: 5 }, accept);
    expect(read(answer.text)).not.toHaveProperty("truncated");
  });
});

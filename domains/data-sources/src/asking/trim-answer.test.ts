import { type Answer, type Hit, MAX_ANSWER_BYTES } from "@svc/contract";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { trimAnswer } from "./trim-answer.ts";
import type { AnswerFormat } from "./write-answer.ts";

const FORMATS: AnswerFormat[] = ["yaml", "json"];

function hit(n: number, metadata: Record<string, unknown>): Hit {
  return { id: `row-${n}`, title: `Row ${n}`, metadata: { ...metadata, _score: 0.5 - n / 100, _target: "rows" } };
}

function hitsWith(count: number, metadata: Record<string, unknown>): Hit[] {
  return Array.from({ length: count }, (_, n) => hit(n, metadata));
}

function read(body: string, format: AnswerFormat): Answer {
  return (format === "json" ? JSON.parse(body) : parse(body)) as Answer;
}

function trimmed(hits: Hit[], format: AnswerFormat): Answer & { bytes: number } {
  const { body, count, truncated } = trimAnswer(hits, format);
  const answer = read(body, format);
  expect(answer).toMatchObject({ count, ...(truncated !== undefined && { truncated }) });
  return { ...answer, bytes: Buffer.byteLength(body) };
}

describe.each(FORMATS)("an answer in %s", (format) => {
  it("is sent as it was found when it fits, and says nothing of cuts", () => {
    const found = hitsWith(10, { body: "text ".repeat(60), tags: ["a", "b"], price: 9.5, sold: true, note: null });
    const { body, count, truncated } = trimAnswer(found, format);
    expect(read(body, format)).toEqual({ count: 10, results: found });
    expect({ count, truncated }).toEqual({ count: 10, truncated: undefined });
  });

  it("without hits is an empty list", () => {
    expect(read(trimAnswer([], format).body, format)).toEqual({ count: 0, results: [] });
  });

  it("fits to the byte: one more is too many", () => {
    const empty = Buffer.byteLength(trimAnswer([hit(1, { body: "" })], format).body);
    const room = MAX_ANSWER_BYTES - empty;
    expect(trimmed([hit(1, { body: "x".repeat(room) })], format)).toMatchObject({ bytes: MAX_ANSWER_BYTES });
    const answer = trimmed([hit(1, { body: "x".repeat(room + 1) })], format);
    expect(answer.truncated).toBe("1 value was shortened to fit 16384 bytes.");
    expect(answer.bytes).toBeGreaterThan(MAX_ANSWER_BYTES - 300);
  });

  it("cuts the longest values, all to the same length, and leaves shorter ones whole", () => {
    const found = [
      hit(1, { body: "a".repeat(40_000), summary: "b".repeat(900) }),
      hit(2, { body: "c".repeat(20_000) }),
    ];
    const { results, truncated } = trimmed(found, format);
    const [first, second] = results.map(({ metadata }) => metadata as { body: string; summary?: string });
    expect(first?.summary).toBe("b".repeat(900));
    expect(first?.body).toMatch(/^a+…$/);
    expect(second?.body).toMatch(/^c+…$/);
    expect(first?.body).toHaveLength(second?.body.length ?? 0);
    expect(truncated).toBe("2 values were shortened to fit 16384 bytes.");
  });

  it("leaves out the last hits when the values would become too short to be of use", () => {
    const columns = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`column_${n}`, "word ".repeat(500)]));
    const { count, results, truncated } = trimmed(hitsWith(20, columns), format);
    expect(results.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, n) => `row-${n}`));
    expect(truncated).toBe(
      `${count * 30} values were shortened and the last ${20 - count} of 20 hits were left out to fit 16384 bytes.`,
    );
    for (const { metadata } of results) expect((metadata["column_29"] as string).length).toBeGreaterThan(90);
  });

  it("leaves hits out rather than cut an identifier or a title", () => {
    const found = hitsWith(3, {}).map((one) => ({ ...one, id: one.id.repeat(1_000), title: "t".repeat(1_000) }));
    const { results, truncated } = trimmed(found, format);
    expect(results).toEqual(found.slice(0, 2));
    expect(truncated).toBe("The last 1 of 3 hits was left out to fit 16384 bytes.");
  });

  it("cuts a title, then an identifier, when there is one hit and nothing else to cut", () => {
    const body = { body: "short" };
    const longTitle = trimmed([{ ...hit(1, body), title: "t".repeat(50_000) }], format).results[0];
    expect(longTitle).toMatchObject({ id: "row-1", title: expect.stringMatching(/^t+…$/), metadata: body });
    const longId = trimmed([{ ...hit(1, body), id: "i".repeat(50_000) }], format).results[0];
    expect(longId).toMatchObject({ id: expect.stringMatching(/^i+…$/), title: "Row 1", metadata: body });
  });

  it("leaves out columns when a single hit has too many, but never its score and target", () => {
    const columns = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`column_${n}`, n]));
    const { results, truncated } = trimmed([hit(1, columns)], format);
    const kept = Object.keys(results[0]?.metadata ?? {});
    expect(kept.slice(0, 2)).toEqual(["column_0", "column_1"]);
    expect(kept.slice(-2)).toEqual(["_score", "_target"]);
    expect(truncated).toBe(`The last ${2_002 - kept.length} columns were left out to fit 16384 bytes.`);
  });

  it("gives the start of a nested value's JSON where the value is too long", () => {
    const list = Array.from({ length: 9_000 }, (_, n) => ({ n }));
    const { metadata } = trimmed([hit(1, { list, small: { kept: [1] } })], format).results[0] as Hit;
    expect(metadata["small"]).toEqual({ kept: [1] });
    expect(metadata["list"]).toMatch(/^\[\{"n":0\},\{"n":1\},.*…$/);
    expect(JSON.stringify(list).startsWith((metadata["list"] as string).slice(0, -1))).toBe(true);
  });

  it("gives a date as JSON does, wherever it is", () => {
    const when = new Date("2026-02-03T04:05:06Z");
    const { metadata } = trimmed([hit(1, { when, list: [when] })], format).results[0] as Hit;
    expect(metadata).toMatchObject({ when: "2026-02-03T04:05:06.000Z", list: ["2026-02-03T04:05:06.000Z"] });
  });

  it("survives a value that is nested deeper than any writer could follow", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    const { metadata } = trimmed([hit(1, { deep })], format).results[0] as Hit;
    expect(metadata["deep"]).toMatch(/^\[+"?…/);
  });

  it("keeps a column that is called __proto__", () => {
    const metadata = JSON.parse('{"__proto__": "mine", "_score": 1, "_target": "t"}') as Record<string, unknown>;
    const { body } = trimAnswer([{ id: "1", title: null, metadata }], format);
    expect(body).toMatch(/__proto__"?: ?"mine"/);
  });

  it.each([
    ["families", "👩‍👩‍👧‍👦"],
    ["flags", "🇨🇭"],
    ["accents", "e\u0301"],
    ["Hindi", "नि"],
    ["line breaks", "\r\n"],
  ])("tears no character apart: %s", (_what, character) => {
    const { metadata } = trimmed([hit(1, { body: character.repeat(9_000) })], format).results[0] as Hit;
    const body = metadata["body"] as string;
    expect(body.slice(0, -1)).toBe(character.repeat((body.length - 1) / character.length));
    expect(body.isWellFormed()).toBe(true);
  });

  it("is made in a few milliseconds from twenty values of a megabyte", () => {
    const found = hitsWith(20, { body: 'line of "text"\n'.repeat(70_000) });
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      trimAnswer(found, format);
      return performance.now() - startedAt;
    });
    expect(Math.min(...times)).toBeLessThan(50);
  });
});

import { type Hit, MAX_ANSWER_BYTES } from "@svc/contract";
import { toYaml } from "@svc/platform/http";
import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { trimAnswer } from "./trim-answer.ts";
import type { AnswerFormat } from "./write-answer.ts";

const UNITS = ["a", "word ", '"', "\\", "\n", "\t", "\u0000", "\u0007", "\u0085", "\u2028", "\ufeff", "é", "e\u0301"];
const WIDE_UNITS = ["日", "שלום", "\u202e", "😀", "👩‍👩‍👧‍👦", "🇨🇭", "\ud83d", "\ude00", "<script>", "yes", ": ", "# "];

const piece = fc.oneof(
  fc.constantFrom(...UNITS, ...WIDE_UNITS),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 10 }),
);
const repeated = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(piece, { maxLength: 4 }), fc.nat({ max: most }))
    .map(([parts, times]) => parts.join("").repeat(times));
const text = fc.oneof(
  { weight: 24, arbitrary: repeated(3) },
  { weight: 6, arbitrary: repeated(60) },
  { weight: 1, arbitrary: repeated(1_200) },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(100_000), "日本".repeat(20_000), "\u0001".repeat(3_000)) },
);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(1e21, -1e21, 1e-7, 5e-324, -0, Number.NaN, Number.POSITIVE_INFINITY),
);
const { nested } = fc.letrec<{ nested: unknown }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(repeated(40), number, fc.boolean(), fc.constant(null)),
    fc.array(tie("nested"), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: "grapheme", maxLength: 8 }).filter(isNoPrototype), tie("nested"), { maxKeys: 4 }),
  ),
}));
const value = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 4, arbitrary: fc.oneof(number, fc.boolean(), fc.constant(null)) },
  { weight: 3, arbitrary: nested },
  { weight: 1, arbitrary: fc.nat({ max: 2_000 }).map((length) => Array.from({ length }, (_, n) => n)) },
);
const key = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("body", "category", "url", "id", "title", "yes", "7", "two words", "préfixe"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 63 }).filter(isNoPrototype) },
);
const columns = fc.oneof(
  { weight: 25, arbitrary: fc.dictionary(key, value, { maxKeys: 6 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.integer({ min: 10, max: 1_200 }), fc.constantFrom(1, "", "ab", "x".repeat(90))).map(many),
  },
);
const hit: fc.Arbitrary<Hit> = fc
  .record({
    id: fc.oneof({ weight: 20, arbitrary: fc.uuid() }, { weight: 1, arbitrary: text }),
    title: fc.oneof(
      { weight: 12, arbitrary: repeated(3) },
      { weight: 1, arbitrary: text },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    columns,
    score: fc.double({ min: -1, max: 1, noNaN: true }),
    target: fc.string({ unit: "grapheme", maxLength: 100 }),
  })
  .map(({ columns, score, target, ...rest }) => ({
    ...rest,
    metadata: { ...columns, _score: score, _target: target },
  }));
const hits = fc.oneof(
  { weight: 8, arbitrary: fc.array(hit, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(hit, { minLength: 10, maxLength: 20 }) },
);

function isNoPrototype(name: string): boolean {
  return name !== "__proto__" && name !== "_score" && name !== "_target";
}

function many([count, content]: [number, unknown]): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, content]));
}

interface Parsed {
  count: number;
  results: Hit[];
  truncated?: string;
}

/** What a reader of the format is to see of a value that was not cut, as JSON. */
function readable(original: unknown, format: AnswerFormat): string {
  const json = JSON.stringify(original);
  // JSON keeps half of a surrogate pair as an escape; YAML has no form for it.
  if (format === "json" || !json.includes("\\ud")) return json;
  return json.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.length > 2 ? "\ufffd" : escape));
}

function isStartOf(seen: unknown, original: unknown, format: AnswerFormat): boolean {
  const whole = typeof original === "string" ? original : JSON.stringify(original);
  if (typeof seen !== "string" || !seen.endsWith("…")) return false;
  return (format === "yaml" ? whole.toWellFormed() : whole).startsWith(seen.slice(0, -1));
}

/** Compares what was sent with what was found, and counts what is missing. */
function compare(original: Hit[], { results }: Parsed, format: AnswerFormat): { values: number; columns: number } {
  const missing = { values: 0, columns: 0 };
  const isCut = (seen: unknown, full: unknown): boolean => {
    if (JSON.stringify(seen) === readable(full, format)) return false;
    expect(isStartOf(seen, full, format), `${JSON.stringify(seen)} is no start`).toBe(true);
    missing.values += 1;
    return true;
  };
  for (const [index, seen] of results.entries()) {
    const full = original[index] as Hit;
    const isHeadCut = [isCut(seen.id, full.id), isCut(seen.title, full.title)].includes(true);
    const names = Object.keys(full.metadata);
    const kept = names.filter((name) => Object.hasOwn(seen.metadata, name));
    expect(Object.keys(seen.metadata)).toEqual(kept);
    expect(readable(seen.metadata["_score"], format)).toBe(readable(full.metadata["_score"], format));
    expect(seen.metadata["_target"]).toBe(full.metadata["_target"]);
    for (const name of kept) isCut(seen.metadata[name], full.metadata[name]);
    missing.columns += names.length - kept.length;
    const isWhole = !isHeadCut && missing.columns === 0;
    expect(isWhole || results.length === 1, "more than values was cut of several hits").toBe(true);
  }
  return missing;
}

/** The numbers that the note gives. */
function claimed(note: string | undefined): { values: number; columns: number; hits: number } {
  const number = (pattern: RegExp): number => Number((note ?? "").match(pattern)?.[1] ?? 0);
  return {
    values: number(/(\d+) values? w/i),
    columns: /the last column was/i.test(note ?? "") ? 1 : number(/last (\d+) columns/i),
    hits: number(/last (\d+) of/i),
  };
}

function read(body: string, format: AnswerFormat): Parsed {
  if (format === "json") return JSON.parse(body) as Parsed;
  const parsed = load(body) as Parsed;
  expect(JSON.stringify(parse(body))).toBe(JSON.stringify(parsed));
  return parsed;
}

describe("any answer", () => {
  it("fits, can be read as what was found, and says truthfully what was cut", { timeout: 120_000 }, () => {
    let cut = 0;
    fc.assert(
      fc.property(hits, fc.constantFrom<AnswerFormat>("yaml", "json"), (found, format) => {
        const { body, count, truncated } = trimAnswer(found, format);
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
        const answer = read(body, format);
        expect(answer.count).toBe(count);
        expect(answer.results).toHaveLength(count);
        expect(answer.truncated).toBe(truncated);
        expect(claimed(truncated)).toEqual({ ...compare(found, answer, format), hits: found.length - count });

        const plain = JSON.parse(JSON.stringify({ count: found.length, results: found }));
        const whole = format === "json" ? JSON.stringify(plain) : toYaml(plain);
        expect(truncated === undefined).toBe(Buffer.byteLength(whole) <= MAX_ANSWER_BYTES);
        expect(body === whole).toBe(truncated === undefined);
        cut += truncated === undefined ? 0 : 1;
      }),
      { numRuns: 5_000 },
    );
    // Else it was not much of a test.
    expect(cut).toBeGreaterThan(500);
  });
});

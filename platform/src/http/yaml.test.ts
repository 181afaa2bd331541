import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { toYaml } from "./yaml.ts";

type Json = Parameters<typeof toYaml>[0];

const READERS = {
  "1.2": (text: string): unknown => parse(text),
  "1.1": (text: string): unknown => parse(text, { version: "1.1" }),
  "1.1 with the core schema": (text: string): unknown => parse(text, { version: "1.1", schema: "core" }),
};

const WORDS = ["yes", "no", "Yes", "NO", "on", "off", "y", "n", "true", "false", "null", "Null", "~", "<<", "=", ""];
const LOOKALIKES = ["1", "0x1f", "0o17", "017", "1_000", "1:30", ".inf", ".NaN", "-", "- a", "? a", "a: b", "#x", "&a"];
const ODD = ["*a", "!tag", "%YAML", "---", "...", "|", ">", "[", "{", "'", '"', "\\", "`", "@", " a", "a ", "a\nb"];
const UNPRINTABLE = [
  "\u0000",
  "\u0007",
  "\u007f",
  "\u0085",
  "\u009f",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\ufffe",
  "\u{1f600}",
];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS, ...LOOKALIKES, ...ODD, ...UNPRINTABLE) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom("a", "\ud83d", "\ude00", "\n", "\t", " "), maxLength: 8 }),
  },
);
// A parser may keep "__proto__" out of the objects it makes; that says nothing about the text.
const key = text.filter((name) => name !== "__proto__");
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e21, -1e21, 1e-7, 5e-324, Number.MAX_VALUE, 0.1),
);
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  ),
}));

/** What a reader is to see: JSON has no -0, and neither form has half a surrogate pair. */
function readable(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return value + 0;
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name.toWellFormed(), readable(item)]));
}

describe("YAML answers", () => {
  it.each(Object.entries(READERS))("are read back as the same data by a reader of YAML %s", (_version, read) => {
    fc.assert(
      fc.property(tree, (value) => {
        const expected = readable(value);
        fc.pre(countKeys(expected) === countKeys(value));
        expect(read(toYaml(value))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it.each([...WORDS, ...LOOKALIKES, ...ODD, ...UNPRINTABLE])("keep %j a text, as a value and as a key", (word) => {
    for (const read of Object.values(READERS)) expect(read(toYaml({ [word]: word }))).toEqual({ [word]: word });
  });

  it("hold no character that a terminal or an old reader would act on", () => {
    const all = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).join("");
    const body = toYaml(all).slice(0, -1);
    expect(body).not.toMatch(/\p{Cc}|[\u2028\u2029\ufeff\ufffe\uffff]/u);
    expect(body.isWellFormed()).toBe(true);
  });

  it("have one fixed shape", () => {
    const value: Json = {
      items: [
        { id: "ds_1", tags: ["a", "b"], size: 3, empty: [] },
        ["nested", [1, 2]],
        [],
        {},
        { only: { deep: true } },
      ],
      yes: "no",
      "two words": null,
      next_cursor: null,
      none: {},
    };
    expect(toYaml(value)).toBe(
      [
        "items:",
        '  - id: "ds_1"',
        "    tags:",
        '      - "a"',
        '      - "b"',
        "    size: 3",
        "    empty: []",
        '  - - "nested"',
        "    - - 1",
        "      - 2",
        "  - []",
        "  - {}",
        "  - only:",
        "      deep: true",
        '"yes": "no"',
        '"two words": null',
        "next_cursor: null",
        "none: {}",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["text", '"text"\n'],
    [1.5, "1.5\n"],
    // Without the ".0" readers of YAML 1.1 such as PyYAML see a text.
    [1e21, "1.0e+21\n"],
    [-5e-324, "-5.0e-324\n"],
    [null, "null\n"],
    [[], "[]\n"],
    [{}, "{}\n"],
    [Number.NaN, "null\n"],
    [Number.POSITIVE_INFINITY, "null\n"],
  ] as [Json, string][])("of a single value %j are one line", (value, expected) => {
    expect(toYaml(value)).toBe(expected);
  });

  it("leave out what JSON leaves out", () => {
    const value = { a: undefined, b: { c: undefined }, d: 1 } as unknown as Json;
    expect(toYaml(value)).toBe("b: {}\nd: 1\n");
  });

  it("can be read with a key longer than YAML allows on the line of its value", () => {
    const long = "k".repeat(3_000);
    const value = { [long]: 1, list: [{ [`${long} `]: { deep: [{ [long]: "x" }] } }], [`${long}!`]: [] };
    for (const read of Object.values(READERS)) expect(read(toYaml(value))).toEqual(value);
  });
});

function countKeys(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts = Object.values(value).map(countKeys);
  return (Array.isArray(value) ? 0 : parts.length) + parts.reduce((sum, part) => sum + part, 0);
}

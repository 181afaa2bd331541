import { describe, expect, it } from "vitest";
import { toYaml } from "./to-yaml.ts";

describe("YAML", () => {
  it("shows documents as blocks", () => {
    const document = {
      count: 2,
      results: [
        { id: "42", title: "Refunds", metadata: { tags: ["a", "b"], nested: [[1, 2]], none: null, _score: 0.5 } },
        { id: "7", title: null, metadata: {} },
      ],
      empty: [],
      left_out: undefined,
      truncated: false,
    };
    expect(toYaml(document)).toBe(`count: 2
results:
  - id: "42"
    title: Refunds
    metadata:
      tags:
        - a
        - b
      nested:
        - - 1
          - 2
      none: null
      _score: 0.5
  - id: "7"
    title: null
    metadata: {}
empty: []
truncated: false
`);
  });

  it.each([
    ["plain words", "plain words"],
    ["Zoë", "Zoë"],
    ["/usr/bin", "/usr/bin"],
    ["ada@example.com", "ada@example.com"],
    ["", '""'],
    ["yes", '"yes"'],
    ["No", '"No"'],
    ["null", '"null"'],
    ["42", '"42"'],
    ["1e3", '"1e3"'],
    [".5", '".5"'],
    ["2026-05-01", '"2026-05-01"'],
    ["~", '"~"'],
    ["- a", '"- a"'],
    ["a: b", '"a: b"'],
    ["a #b", '"a #b"'],
    ["...", '"..."'],
    ["*alias", '"*alias"'],
    ["!tag", '"!tag"'],
    [" padded ", '" padded "'],
    ["two\nlines", '"two\\nlines"'],
    ['"quoted"', '"\\"quoted\\""'],
  ])("writes %j so that it is read as text", (text, expected) => {
    expect(toYaml(text)).toBe(`${expected}\n`);
    expect(toYaml({ [text]: text })).toBe(`${expected}: ${expected}\n`);
  });
});

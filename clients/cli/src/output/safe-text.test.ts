import { describe, expect, it } from "vitest";
import { toJson } from "./print-document.ts";
import { safeLine } from "./safe-text.ts";
import { toYaml } from "./to-yaml.ts";

/** Clears the screen, sets the title, the same with one-byte introducers, turns the order of letters, breaks the line. */
const ATTACKS = [
  "\u001b[2J",
  "\u001b]0;owned\u0007",
  "\u009b2J",
  "\u009d0;owned\u009c",
  "\u202egpj.exe",
  "a\rb",
  "\u2028",
  "\u007f",
];
/** All but the end of a line. */
const DANGEROUS = /(?!\n)[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe("text from elsewhere", () => {
  it.each(ATTACKS)("cannot steer the terminal in a line: %j", (attack) => {
    expect(safeLine(`before${attack}after`)).not.toMatch(DANGEROUS);
    expect(safeLine(`before${attack}after`)).not.toContain("\n");
  });

  it.each(ATTACKS)("cannot steer it in JSON either, and stays the same: %j", (attack) => {
    const text = toJson({ [attack]: attack });
    expect(text).not.toMatch(DANGEROUS);
    expect(JSON.parse(text)).toEqual({ [attack]: attack });
  });

  it.each(ATTACKS)("cannot steer it in YAML, where it stands in quotes: %j", (attack) => {
    const [, key, value] = /^(".*"): (".*")\n$/.exec(toYaml({ [attack]: attack })) ?? [];
    expect(`${key}${value}`).not.toMatch(DANGEROUS);
    expect([JSON.parse(key ?? ""), JSON.parse(value ?? "")]).toEqual([attack, attack]);
  });

  it("is left alone where it is harmless", () => {
    expect(safeLine("Zoë: 日本 (50 %)")).toBe("Zoë: 日本 (50 %)");
    expect(safeLine("one\n\ttwo")).toBe("one two");
  });
});

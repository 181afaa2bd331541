import { describe, expect, it } from "vitest";
import { closestName } from "./closest-name.ts";

describe("the name that was probably meant", () => {
  it.each([
    ["notse", ["notes", "orders"], "notes"],
    ["Notes", ["orders", "notes"], "notes"],
    ["note", ["notes"], "notes"],
    ["embeding", ["embedded", "embedding"], "embedding"],
    ["i", ["id"], "id"],
  ])("for %j among %j is %j", (wanted, names, meant) => expect(closestName(wanted, names)).toBe(meant));

  it.each([
    ["notes", ["orders", "customers"]],
    ["ab", ["xy"]],
    ["notes", []],
    ["", ["notes"]],
    ["x".repeat(300), ["notes"]],
  ])("for %j among %j is none", (wanted, names) => expect(closestName(wanted, names)).toBeUndefined());
});

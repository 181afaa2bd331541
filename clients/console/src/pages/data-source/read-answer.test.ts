import { expect, it } from "vitest";
import { readAnswer } from "./read-answer.ts";

const CUT = "20 values were shortened to fit 16384 bytes.";

it("reads the number of hits and the note about cuts from YAML, and from no text within it", () => {
  const body = [
    "count: 1",
    "results:",
    '  - id: "1"',
    '    title: "count: 7"',
    `truncated: ${JSON.stringify(CUT)}`,
    "",
  ].join("\n");
  expect(readAnswer("yaml", body, 5)).toMatchObject({ count: 1, truncated: CUT, hits: undefined, body });
});

it("counts bytes as they are sent, not characters", () => {
  expect(readAnswer("yaml", "count: 0\nresults: []\n# ü…\n", 5).bytes).toBe(29);
});

it("reads the hits of JSON", () => {
  const hit = { id: "1", title: null, metadata: { _score: 0.5, _target: "handbook" } };
  const body = JSON.stringify({ count: 1, results: [hit] });
  expect(readAnswer("json", body, 5)).toMatchObject({ count: 1, truncated: undefined, hits: [hit] });
});

import { describe, expect, it } from "vitest";
import { renderAnswer, renderAnswerTable } from "./render-answer.ts";

const hit = (id: string, title: string | null, metadata: Record<string, unknown> = {}) => ({
  id,
  title,
  metadata: { ...metadata, _score: 0.91234, _target: "articles" },
});

describe("an answer", () => {
  it("shows the count, and for each hit rank, score, id, title, target and what was found", () => {
    const results = [hit("42", "Refunds", { team: "billing", tags: ["a"], until: null, open: true }), hit("7", null)];
    expect(renderAnswer({ count: 2, results })).toBe(`2 hits

1  0.9123  42  Refunds  (articles)
   team: billing
   tags: ["a"]
   until: -
   open: true

2  0.9123  7  (articles)
`);
  });

  it("says what was cut", () => {
    const truncated = "1 value was shortened";
    expect(renderAnswer({ count: 1, results: [hit("42", "Refunds")], truncated })).toBe(
      "1 hit\n\n1  0.9123  42  Refunds  (articles)\n\nShortened: 1 value was shortened\n",
    );
    expect(renderAnswerTable({ count: 1, results: [hit("42", "Refunds")], truncated })).toContain(
      "Shortened: 1 value was shortened\n",
    );
  });

  it("is a count alone where nothing was found", () => {
    expect(renderAnswer({ count: 0, results: [] })).toBe("0 hits\n");
    expect(renderAnswerTable({ count: 0, results: [] })).toBe("0 hits\n");
  });

  it("has one line a hit as a table", () => {
    expect(renderAnswerTable({ count: 1, results: [hit("42", "Refunds", { team: "x" })] })).toBe(
      "1 hit\n\nRANK  SCORE   ID  TARGET    TITLE\n1     0.9123  42  articles  Refunds\n",
    );
  });

  it("cannot steer the terminal, in whatever part of a hit", () => {
    const evil = "\u001b[2J\u009b31m\u202e\nfake line";
    const results = [{ id: evil, title: evil, metadata: { [evil]: evil, _score: 1, _target: evil } }];
    const lines = renderAnswer({ count: 1, results, truncated: evil });
    expect(lines).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(lines.split("\n").filter((line) => line.startsWith("fake"))).toEqual([]);
  });

  it("shows ranks of two digits below each other", () => {
    const results = Array.from({ length: 10 }, (_, n) => hit(`id${n}`, null));
    expect(renderAnswer({ count: 10, results })).toContain(
      "\n 9  0.9123  id8  (articles)\n\n10  0.9123  id9  (articles)\n",
    );
  });
});

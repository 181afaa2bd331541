import { expect, it } from "vitest";
import { NO_QUESTION, questionOf } from "./question-draft.ts";

const SCHEMA = { team: "string", year: "number", open: "boolean" } as const;

it("asks with nothing but what was typed", () => {
  expect(questionOf({ ...NO_QUESTION, query: "refunds" }, SCHEMA)).toEqual({ query: "refunds", top_k: 10 });
});

it("sends values by the type of their column, several as either, and empty ones not at all", () => {
  const filters = [
    { column: "team", values: ["billing", "", " support "] },
    { column: "year", values: ["2026"] },
    { column: "open", values: ["false"] },
  ];
  expect(questionOf({ ...NO_QUESTION, query: "x", filters }, SCHEMA).filters).toEqual({
    team: ["billing", " support "],
    year: 2026,
    open: false,
  });
});

it("leaves to the service what is no number, or has more digits than one keeps", () => {
  const filters = [{ column: "year", values: ["soon", "12345678901234567890"] }];
  expect(questionOf({ ...NO_QUESTION, query: "x", filters }, SCHEMA).filters).toEqual({
    year: ["soon", "12345678901234567890"],
  });
});

it("sends the number of hits as it was typed, so that the service can refuse it", () => {
  expect(questionOf({ ...NO_QUESTION, query: "x", hits: "99", target: "handbook" }, SCHEMA)).toEqual({
    query: "x",
    top_k: 99,
    target: "handbook",
  });
});

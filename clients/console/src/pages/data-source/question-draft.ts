import type { FilterSchema, FilterType, FilterValue } from "@svc/contract";
import { DEFAULT_HITS } from "@svc/contract/plain";
import type { ApiClient } from "@svc/http-client";

export type AnswerFormat = "yaml" | "json";

export interface FilterDraft {
  column: string;
  /** As they were typed. Several mean either. */
  values: string[];
}

/** A question as it is being put together. */
export interface QuestionDraft {
  query: string;
  filters: FilterDraft[];
  hits: string;
  /** Undefined: everywhere. */
  target: string | undefined;
  format: AnswerFormat;
}

export const NO_QUESTION: QuestionDraft = {
  query: "",
  filters: [],
  hits: String(DEFAULT_HITS),
  target: undefined,
  format: "yaml",
};

export type Question = Parameters<ApiClient["askForText"]>[1];

/** What is asked. A value that does not fit its column goes as it is: the service says what is wrong with it. */
export function questionOf({ query, filters, hits, target }: QuestionDraft, schema: FilterSchema): Question {
  const given = filters
    .map(({ column, values }) => [column, valuesOf(values, schema[column] ?? "string")] as const)
    .filter(([, values]) => values.length > 0)
    .map(([column, values]) => [column, values.length === 1 ? values[0] : values] as const);
  return {
    query,
    ...(given.length > 0 && { filters: Object.fromEntries(given) as Question["filters"] }),
    ...(hits !== "" && { top_k: Number(hits) }),
    ...(target !== undefined && { target }),
  };
}

function valuesOf(typed: string[], type: FilterType): FilterValue[] {
  const given = typed.filter((value) => value !== "");
  if (type === "boolean") return given.map((value) => value === "true");
  return type === "number" ? given.map(numberOf) : given;
}

/** More digits than a number keeps stay a text, which the service reads exactly. */
function numberOf(typed: string): FilterValue {
  const text = typed.trim();
  return String(Number(text)) === text ? Number(text) : text;
}

import type { FilterSchema, FilterType, FilterValue, Question } from "@svc/contract";
import { AppError } from "@svc/platform/errors";

/** A column and the values that it may have, as texts that the database reads by the column's own type. */
export interface CheckedFilter {
  column: string;
  values: string[];
}

/** Only columns of the filter schema, only values of their type. */
export function checkFilters(filters: Question["filters"], schema: FilterSchema): CheckedFilter[] {
  const entries = Object.entries(filters);
  if (entries.length === 0) return [];
  const unknown = entries.map(([column]) => column).filter((column) => !Object.hasOwn(schema, column));
  if (unknown.length > 0) throw notFilterable(unknown, schema);
  return entries.map(([column, given]) => ({
    column,
    values: (Array.isArray(given) ? given : [given]).map((value) =>
      readValue(column, value, schema[column] ?? "string"),
    ),
  }));
}

export function notFilterable(columns: string[], schema: FilterSchema): AppError {
  const filterable = Object.entries(schema).map(([column, type]) => `${column} (${type})`);
  const known =
    filterable.length > 0 ? `Filterable columns: ${filterable.join(", ")}.` : "It has no filterable columns.";
  const names = columns.map((column) => JSON.stringify(column.slice(0, 100))).join(", ");
  return new AppError("INVALID_FILTER", `Cannot filter on ${names}. ${known}`, {
    problems: columns
      .slice(0, 50)
      .map((column) => ({ path: `filters.${column}`, message: "is not a filterable column" })),
  });
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i;

/** A terminal knows only texts, so "3" is a number and "true" a boolean where the schema says so. */
function readValue(column: string, value: FilterValue, type: FilterType): string {
  if (type === "string" && typeof value === "string") {
    if (value.includes("\u0000")) throw wrongType(column, type);
    return value.toWellFormed();
  }
  if (type === "number" && typeof value === "number") return String(value);
  if (type === "number" && typeof value === "string" && NUMBER.test(value.trim())) return value.trim();
  if (type === "boolean" && (typeof value === "boolean" || value === "true" || value === "false")) return String(value);
  throw wrongType(column, type);
}

function wrongType(column: string, type: FilterType): AppError {
  return new AppError("INVALID_FILTER", `The filter on ${JSON.stringify(column)} needs a ${type}.`, {
    problems: [{ path: `filters.${column}`, message: `must be a ${type}` }],
  });
}

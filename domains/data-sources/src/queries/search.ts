import type { DistanceMetric } from "@svc/contract";
import pg from "pg";
import type { EntryPlan } from "../search-plan.ts";

const { escapeIdentifier: name } = pg;

const OPERATORS: Record<DistanceMetric, string> = { cosine: "<=>", l2: "<->", inner_product: "<#>" };

/**
 * Statements for a customer's database. Names come from the saved plan and are quoted, operators and types are named
 * with their schema; all that a caller chose is a parameter: $1 the vector, $2 the number of rows, then one array for
 * each filtered column.
 */
export type SearchMode = "exact" | "approximate";

export function searchStatement(plan: EntryPlan, filterColumns: string[], mode: SearchMode): string {
  const { extensionSchema, vectorColumn, metric, dimensions } = plan;
  const extension = name(extensionSchema);
  const operator = `OPERATOR(${extension}.${OPERATORS[metric]})`;
  const distance = `${name(vectorColumn)} ${operator} $1::${extension}.vector`;
  const columns = `${contentColumns(plan)}, ${distance} AS distance`;
  const from = `FROM ${tableOf(plan)} WHERE ${[`${name(vectorColumn)} IS NOT NULL`, ...conditions(plan, filterColumns, 3)].join(" AND ")}`;
  // Adding nothing keeps the planner from the index, whose rows would be the nearest before the filter.
  if (mode === "exact") return `SELECT ${columns} ${from} ORDER BY (${distance}) + 0, 1 LIMIT $2`;

  // An index on an expression serves only who writes the same expression.
  const half = `${extension}.halfvec(${dimensions})`;
  const nearness =
    plan.index === "halfvec"
      ? `(${name(vectorColumn)}::${half}) ${operator} ($1::${extension}.vector::${half})`
      : distance;
  // An iterative scan gives rows nearly in order; outside they are put in order, by the full distance.
  return `WITH nearest AS MATERIALIZED (SELECT ${columns} ${from} ORDER BY ${nearness} LIMIT $2) SELECT * FROM nearest ORDER BY distance + 0, 1`;
}

/** How many rows pass the filters, as the planner sees it. One array for each filtered column, from $1. */
export function estimateStatement(plan: EntryPlan, filterColumns: string[]): string {
  const filters = conditions(plan, filterColumns, 1);
  const where = filters.length > 0 ? ` WHERE ${filters.join(" AND ")}` : "";
  return `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${tableOf(plan)}${where}`;
}

/** A column cast to its own type: only then does an index on it serve. */
function conditions(plan: EntryPlan, filterColumns: string[], firstParameter: number): string[] {
  return filterColumns.map((column, index) => {
    const type = plan.filterCasts[column];
    if (type === undefined) throw new Error("a filter on a column that the plan does not know");
    return `${name(column)} = ANY ($${firstParameter + index}::${type}[])`;
  });
}

/** Id and title are texts; the rest is what it is. Positions name the columns, so that no name can be in the way. */
function contentColumns({ contentColumns }: EntryPlan): string {
  return contentColumns.map((column, index) => `${name(column)}${index < 2 ? "::text" : ""} AS c${index}`).join(", ");
}

function tableOf({ schema, table }: EntryPlan): string {
  return `${name(schema)}.${name(table)}`;
}

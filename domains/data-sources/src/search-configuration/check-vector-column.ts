import type { CatalogColumn, VectorExtension } from "../queries/catalog.ts";
import type { EmbeddingConfig } from "@svc/contract";
import { suggestion } from "./check-table.ts";
import { quoteForMessage, writeName, writeTableName } from "./parse-names.ts";
import type { CatalogTable } from "./read-catalog.ts";

type Problem = { field: "columns.0" | "dimensions"; message: string };

/** The column that is searched, and what is wrong with it. */
export function checkVectorColumn(
  { columns, dimensions }: Partial<EmbeddingConfig>,
  table: CatalogTable,
  extension: VectorExtension | undefined,
): { column: CatalogColumn | undefined; problem: Problem | undefined } {
  const [name] = columns ?? [];
  if (name === undefined) return { column: undefined, problem: undefined };
  const column = table.columns.get(name);
  if (!column) return { column, problem: { field: "columns.0", message: missingColumn(name, table) } };
  const shown = `column ${writeName(column.name)} is ${typeOf(column, extension)}`;
  if (!isOfExtension(column, extension, "vector")) {
    return {
      column: undefined,
      problem: { field: "columns.0", message: `${shown}; ${whatInstead(column, extension)}` },
    };
  }
  if (column.modifier < 0) {
    const type = `${extension?.quoted_schema}.vector(${dimensions ?? "N"})`;
    const alter = `alter table ${table.quoted} alter column ${column.quoted} type ${type}`;
    const message = `${shown} without declared dimensions. Run: ${alter}`;
    return { column: undefined, problem: { field: "columns.0", message } };
  }
  if (dimensions === undefined || column.modifier === dimensions) return { column, problem: undefined };
  return {
    column,
    problem: { field: "dimensions", message: `${shown}, the configuration says ${dimensions} dimensions` },
  };
}

export function missingColumn(name: string, table: CatalogTable): string {
  const what = `column ${quoteForMessage(name)} is not in table ${writeTableName(table)}`;
  const words = { listed: "it has", none: "it has no columns: add some" };
  return `${what}; ${suggestion(name, [...table.columns.keys()], words)}`;
}

/** A type as its owner wrote it, save for domains, of which only what they are made of matters here. */
export function typeOf(column: CatalogColumn, extension: VectorExtension | undefined): string {
  if (column.type_schema !== extension?.schema || column.type_kind !== "b") return column.type_text;
  return column.modifier < 0 ? column.type_name : column.type_text.slice(extension.quoted_schema.length + 1);
}

function isOfExtension(column: CatalogColumn, extension: VectorExtension | undefined, type: string): boolean {
  return column.type_schema === extension?.schema && column.type_name === type;
}

function whatInstead(column: CatalogColumn, extension: VectorExtension | undefined): string {
  if (isOfExtension(column, extension, "halfvec")) {
    return "only vector columns can be searched: store vector(N), and index it as halfvec for a smaller index";
  }
  return "only vector columns can be searched: name a column of type vector(N)";
}

import type { FilterType } from "@svc/contract";
import type { CatalogColumn, VectorExtension } from "../queries/catalog.ts";
import { suggestion } from "./check-table.ts";
import { typeOf } from "./check-vector-column.ts";
import { quoteForMessage, writeName, writeTableName } from "./parse-names.ts";
import type { CatalogTable } from "./read-catalog.ts";
import { cut, filterPath, type Remark } from "./remark.ts";

const STRINGS = ["text", "varchar", "bpchar", "uuid", "date", "time", "timetz", "timestamp", "timestamptz", "interval"];
const NUMBERS = ["int2", "int4", "int8", "numeric", "float4", "float8"];
const BUILT_IN = new Map<string, FilterType>([
  ...STRINGS.map((type) => [type, "string"] as const),
  ...NUMBERS.map((type) => [type, "number"] as const),
  ["bool", "boolean"],
]);

/** A table of the configuration; two entries may be about the same. */
export interface FilteredTable {
  entry: number;
  table: CatalogTable;
}

export function checkFilters(
  filters: Map<string, FilterType>,
  tables: FilteredTable[],
  options: { knowsEveryTable: boolean; extension: VectorExtension | undefined },
): Remark[] {
  return [...filters].flatMap(([name, type]) => {
    const having = tables.filter(({ table }) => table.columns.has(name));
    if (having.length === 0) return options.knowsEveryTable ? [nowhere(name, tables)] : [];
    const seen = new Set<number>();
    return having.flatMap(({ entry, table }) => {
      const column = table.columns.get(name);
      if (!column || seen.has(table.oid)) return [];
      seen.add(table.oid);
      const message = misfit(column, type, table, options.extension);
      return message === undefined ? [] : [problem(name, message, entry)];
    });
  });
}

/** What values are cast to, for each column of the schema that this table has. Entries, since a name can be anything. */
export function filterCastsOf(filters: Map<string, FilterType>, table: CatalogTable): Record<string, string> {
  const columns = [...filters.keys()].flatMap((name) => table.columns.get(name) ?? []);
  return Object.fromEntries(columns.map(({ name, quoted_type }) => [name, quoted_type]));
}

function fittingType({ type_schema, type_name, type_kind }: CatalogColumn): FilterType | undefined {
  if (type_kind === "e") return "string";
  if (type_schema === "pg_catalog") return BUILT_IN.get(type_name);
  return type_name === "citext" && type_kind === "b" ? "string" : undefined;
}

function misfit(column: CatalogColumn, type: FilterType, table: CatalogTable, extension: VectorExtension | undefined) {
  const what = `column ${writeName(column.name)} of table ${writeTableName(table)} is ${typeOf(column, extension)}`;
  const fitting = fittingType(column);
  if (fitting === undefined) {
    return `${what}, which cannot be filtered on: only texts, numbers, booleans, dates, uuids and enums can`;
  }
  if (fitting !== type) return `${what}, which fits the filter type ${fitting}, not ${type}`;
  if (column.type_can_be_reached) return undefined;
  return `${what}, a type in a schema that is not the database owner's: move the type, or make the schema the owner's`;
}

function nowhere(name: string, tables: FilteredTable[]): Remark {
  const columns = [...new Set(tables.flatMap(({ table }) => [...table.columns.keys()]))];
  const what = `column ${quoteForMessage(name)} is in none of the configured tables`;
  const words = { listed: "they have", none: "configure one that has it" };
  return problem(name, `${what}; ${suggestion(name, columns, words)}`, null);
}

function problem(name: string, message: string, entry: number | null): Remark {
  return { code: "configuration", entry, path: filterPath(name), message: cut(message) };
}

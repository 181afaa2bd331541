import type { TableName } from "../queries/catalog.ts";
import { closestName } from "./closest-name.ts";
import { parseTableName, quoteForMessage, writeName, writeTableName } from "./parse-names.ts";
import type { Catalog, CatalogTable } from "./read-catalog.ts";

const DEFAULT_SCHEMA = "public";

const OTHER_KINDS: Record<string, string> = {
  v: "a view",
  m: "a materialized view",
  f: "a foreign table",
  S: "a sequence",
  i: "an index",
  I: "an index",
  c: "a type",
};

/** The name that an entry means, where it can be read at all. */
export function tableNameOf(text: string): TableName | undefined {
  const parsed = parseTableName(text);
  return "problem" in parsed ? undefined : { schema: parsed.schema ?? DEFAULT_SCHEMA, name: parsed.name };
}

/** A table that can be searched, or why it cannot. */
export function checkTable(text: string, catalog: Catalog): { table: CatalogTable } | { problem: string } {
  const parsed = parseTableName(text);
  if ("problem" in parsed) return { problem: `${quoteForMessage(text)} ${parsed.problem}` };
  const name = { schema: parsed.schema ?? DEFAULT_SCHEMA, name: parsed.name };
  if (name.schema.startsWith("pg_") || name.schema === "information_schema") {
    return { problem: `schema ${writeName(name.schema)} belongs to PostgreSQL itself: name a table of your own` };
  }
  const table = catalog.findTable(name);
  if (!table) return { problem: missingTable(name, catalog.tableNames) };
  const problem = whyNotSearchable(table);
  return problem === undefined ? { table } : { problem };
}

function whyNotSearchable(table: CatalogTable): string | undefined {
  const shown = writeTableName(table);
  if (table.kind !== "r" && table.kind !== "p") {
    return `${shown} is ${OTHER_KINDS[table.kind] ?? "no table"}: only tables can be searched, since access is granted by column and found by index`;
  }
  if (!table.is_ours) {
    return `table ${shown} belongs to the role ${table.owner}, so access to it cannot be granted: make it the database owner's`;
  }
  if (!table.can_be_entered) {
    return `schema ${writeName(table.schema)} is not the database owner's, so access to it cannot be granted: move the table, or make the schema the owner's`;
  }
  return undefined;
}

function missingTable({ schema, name }: TableName, tables: TableName[]): string {
  const elsewhere = tables.filter((table) => table.name === name && table.schema !== schema);
  const [first] = elsewhere;
  if (first) {
    const schemas = elsewhere.slice(0, 5).map((table) => writeName(table.schema));
    const where = schemas.length === 1 ? `there is one in schema ${schemas[0]}` : `there are in ${schemas.join(", ")}`;
    return `no table ${writeName(name)} in schema ${shownSchema(schema)}; ${where}: write ${writeName(first.schema)}.${writeName(first.name)}`;
  }
  const siblings = tables.filter((table) => table.schema === schema).map((table) => table.name);
  const missing = `table ${quoteForMessage(name)} is not in schema ${shownSchema(schema)}`;
  return `${missing}; ${suggestion(name, siblings, { listed: "it has", none: "it has no tables: create one" })}`;
}

function shownSchema(schema: string): string {
  return /^\w{1,63}$/.test(schema) ? schema : quoteForMessage(schema);
}

/** What was probably meant, or else what there is. */
export function suggestion(wanted: string, names: string[], words: { listed: string; none: string }): string {
  const meant = closestName(wanted, names);
  if (meant !== undefined) return `did you mean ${quoteForMessage(meant)}?`;
  if (names.length === 0) return words.none;
  const shown = names.slice(0, 10).map(writeName).join(", ");
  return `${words.listed}: ${shown}${names.length > 10 ? `, and ${names.length - 10} more` : ""}`;
}

import type { CatalogColumn } from "../queries/catalog.ts";
import { missingColumn } from "./check-vector-column.ts";
import { parseColumnNames, quoteForMessage, writeName } from "./parse-names.ts";
import type { CatalogTable } from "./read-catalog.ts";

const MOST_CONTENT_COLUMNS = 50;
/** Fields of every hit, beside which a column of that name would have no place. */
const FIELDS_OF_A_HIT = new Set(["_score", "_target"]);
const SYSTEM_COLUMNS = new Set(["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]);

/** The columns of every hit, and what is wrong with the list. */
export function checkContentColumns(
  text: string,
  table: CatalogTable | undefined,
  vectorColumn: string | undefined,
): { columns: CatalogColumn[]; problems: string[] } {
  const parsed = parseColumnNames(text);
  if ("problem" in parsed) return { columns: [], problems: [parsed.problem] };
  const { names } = parsed;
  if (names.length > MOST_CONTENT_COLUMNS) {
    const problem = `names ${names.length} columns: an answer holds at most ${MOST_CONTENT_COLUMNS}, name those that agents need`;
    return { columns: [], problems: [problem] };
  }
  const repeated = names.filter((name, place) => names.indexOf(name) !== place);
  return {
    columns: names.flatMap((name) => table?.columns.get(name) ?? []),
    problems: [
      ...[...new Set(repeated)].map((name) => `column ${quoteForMessage(name)} is named more than once: name it once`),
      ...[...new Set(names)].flatMap((name) => whyNotContent(name, table, vectorColumn) ?? []),
    ],
  };
}

function whyNotContent(name: string, table: CatalogTable | undefined, vectorColumn: string | undefined) {
  if (FIELDS_OF_A_HIT.has(name)) return `${name} is a field of every hit: give the column another name`;
  if (SYSTEM_COLUMNS.has(name)) return `${name} is a system column of PostgreSQL: name columns of your own`;
  if (name === vectorColumn) {
    return `column ${writeName(name)} is the vector: it would fill the answer with numbers, so leave it out`;
  }
  return table && !table.columns.has(name) ? missingColumn(name, table) : undefined;
}

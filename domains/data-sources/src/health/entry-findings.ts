import type { Finding } from "@svc/contract";
import type { CatalogColumn, SourceSession } from "../queries/catalog.ts";
import { countEmptyVectors, findEmptyShare } from "../queries/vector-samples.ts";
import type { CheckedConfiguration } from "../search-configuration/check-configuration.ts";
import type { CheckedEntry } from "../search-configuration/check-entry.ts";
import { findVectorIndex } from "../search-configuration/find-vector-index.ts";
import { writeName, writeTableName } from "../search-configuration/parse-names.ts";
import type { CatalogTable } from "../search-configuration/read-catalog.ts";
import { toFinding } from "./configuration-findings.ts";

const COUNTED_ROWS = 1_000;

type Sentence = Pick<Finding, "level" | "message">;

/** What can be said of one entry's table, beyond whether the configuration fits it. */
export async function entryFindings(
  session: SourceSession,
  checkedEntry: CheckedEntry,
  checked: CheckedConfiguration,
): Promise<Finding[]> {
  const { entry, draft, table, vectorColumn } = checkedEntry;
  if (!table || !vectorColumn) return [];
  const target = draft.label ?? null;
  const warned = (code: Finding["code"]): Finding[] =>
    checked.warnings
      .filter((warning) => warning.entry === entry && warning.code === code)
      .map((warning) => toFinding(warning, "warning", checked));
  const orOk = (code: Finding["code"], message: string | undefined): Finding[] => {
    const warnings = warned(code);
    if (warnings.length > 0 || message === undefined) return warnings;
    return [{ level: "ok", code, target, message }];
  };
  return [
    ...orOk("vector_index", indexInUse(checkedEntry, checked)),
    { code: "empty_vectors", target, ...(await describeEmptyVectors(session, table, vectorColumn)) },
    ...orOk("filter_index", filtersInUse(checkedEntry, checked)),
    { code: "statistics", target, ...describeStatistics(table) },
    ...warned("reader_access"),
  ];
}

function indexInUse({ draft, table, vectorColumn }: CheckedEntry, { extension }: CheckedConfiguration) {
  const metric = draft.distance_metric;
  if (!table || !vectorColumn || !extension || !metric) return undefined;
  const { name } = findVectorIndex({ table, column: vectorColumn, metric, extension });
  return `Index ${name} serves ${metric}.`;
}

function filtersInUse({ entry }: CheckedEntry, { plan, entries }: CheckedConfiguration): string | undefined {
  // The plan leaves out entries with problems, so places differ where there are some.
  const planned = plan.entries.length === entries.length ? plan.entries[entry] : undefined;
  return planned && Object.keys(planned.filterCasts).length > 0 ? "Every filter column has an index." : undefined;
}

function describeStatistics(table: CatalogTable): Sentence {
  if (table.rows >= 0) return { level: "ok", message: "Statistics were gathered." };
  const why = "so the planner guesses how many rows pass a filter";
  return { level: "warning", message: `Statistics were never gathered, ${why}. Run: analyze ${table.quoted}` };
}

async function describeEmptyVectors(
  session: SourceSession,
  table: CatalogTable,
  column: CatalogColumn,
): Promise<Sentence> {
  const known = await findEmptyShare(session, table, column.name);
  if (known !== undefined) return emptyShare(known, "by the last statistics", column);
  const { rows, empty } = await countEmptyVectors(
    session,
    { table: table.quoted, column: column.quoted },
    COUNTED_ROWS,
  );
  if (rows > 0) return emptyShare(empty / rows, `among the first ${rows} rows`, column);
  return {
    level: "warning",
    message: `Table ${writeTableName(table)} has no rows, so nothing is ever found: fill it.`,
  };
}

function emptyShare(share: number, basis: string, column: CatalogColumn): Sentence {
  if (share === 0) return { level: "ok", message: `Every row has a vector (${basis}).` };
  const percent = share < 0.001 ? "less than 0.1" : String(Math.round(share * 1_000) / 10);
  const what = `${percent} % of the rows have no vector in ${writeName(column.name)} (${basis}) and are never found`;
  return { level: share === 1 ? "error" : "warning", message: `${what}: embed them.` };
}

import type { FilterType } from "@svc/contract";
import type { CatalogColumn, VectorExtension } from "../queries/catalog.ts";
import type { CheckedEntry } from "./check-entry.ts";
import { createIndex, findVectorIndex } from "./find-vector-index.ts";
import { writeName, writeTableName } from "./parse-names.ts";
import type { CatalogTable } from "./read-catalog.ts";
import { cut, entryPath, filterPath, type Remark } from "./remark.ts";

/** Older ones have faults that are mended since: a build overflow in 0.8.2, a vacuum corruption in 0.8.3. */
const ADVISED_VERSION = [0, 8, 4];

/** What works and could work better. */
export function findWarnings(
  entries: CheckedEntry[],
  filters: Map<string, FilterType>,
  extension: VectorExtension | undefined,
): Remark[] {
  if (!extension || entries.length === 0) return [];
  return [
    ...versionWarnings(extension),
    ...entries.flatMap((entry) => [
      ...rowSecurityWarnings(entry),
      ...indexWarnings(entry, extension),
      ...filterWarnings(entry, filters),
    ]),
  ];
}

function versionWarnings({ version }: VectorExtension): Remark[] {
  if (!isOlder(version)) return [];
  const faults = "0.8.2 mends an overflow in parallel index builds, 0.8.3 an HNSW index corruption by vacuum";
  const message = `pgvector is ${version}: ${faults}. Ask the operator to update it to ${ADVISED_VERSION.join(".")} or newer`;
  return [{ code: "extension_version", entry: null, path: "connection_config.embedding_configs", message }];
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map((part) => Number.parseInt(part, 10));
  const at = ADVISED_VERSION.findIndex((advised, place) => (parts[place] ?? 0) !== advised);
  return at !== -1 && (parts[at] ?? 0) < (ADVISED_VERSION[at] ?? 0);
}

function rowSecurityWarnings({ entry, table }: CheckedEntry): Remark[] {
  if (!table?.has_row_security) return [];
  const message = `table ${writeTableName(table)} has row-level security: only rows that its policies show to everyone are found`;
  return [{ code: "reader_access", entry, path: entryPath(entry, "table"), message }];
}

function indexWarnings({ entry, draft, table, vectorColumn }: CheckedEntry, extension: VectorExtension): Remark[] {
  const metric = draft.distance_metric;
  if (!table || !vectorColumn || !metric) return [];
  const { warnings } = findVectorIndex({ table, column: vectorColumn, metric, extension });
  return warnings.map((message) => ({
    code: "vector_index",
    entry,
    path: entryPath(entry, "columns.0"),
    message: cut(message),
  }));
}

function filterWarnings({ entry, table }: CheckedEntry, filters: Map<string, FilterType>): Remark[] {
  if (!table) return [];
  const columns = [...filters.keys()].flatMap((name) => table.columns.get(name) ?? []);
  return columns
    .filter((column) => !hasIndex(table, column))
    .map((column) => {
      const what = `column ${writeName(column.name)} of table ${writeTableName(table)} has no index`;
      const message = `${what}: a filter on it reads the whole table. Run: ${createIndex(table)} (${column.quoted})`;
      return { code: "filter_index", entry, path: filterPath(column.name), message: cut(message) };
    });
}

function hasIndex({ indexes }: CatalogTable, { position }: CatalogColumn): boolean {
  return indexes.some(
    (index) =>
      ["btree", "hash"].includes(index.method) && index.position === position && index.is_valid && !index.is_partial,
  );
}

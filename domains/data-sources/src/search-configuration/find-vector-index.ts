import { DISTANCE_METRICS, type DistanceMetric } from "@svc/contract";
import type { CatalogColumn, CatalogIndex, VectorExtension } from "../queries/catalog.ts";
import type { EntryPlan } from "../search-plan.ts";
import { writeName } from "./parse-names.ts";
import type { CatalogTable } from "./read-catalog.ts";

export interface VectorSearched {
  table: CatalogTable;
  column: CatalogColumn;
  metric: DistanceMetric;
  extension: VectorExtension;
}

export interface FoundIndex {
  index: EntryPlan["index"];
  name: string | undefined;
  /** What keeps searches from an index, and the statement that changes it. */
  warnings: string[];
}

interface VectorIndex extends CatalogIndex {
  holds: "vector" | "halfvec";
  serves: string | undefined;
}

const OPERATOR_CLASS: Record<DistanceMetric, string> = { cosine: "cosine_ops", l2: "l2_ops", inner_product: "ip_ops" };
/** A page of an index holds no more: 2000 numbers of four bytes, 4000 of two. */
const MOST_DIMENSIONS = { vector: 2_000, halfvec: 4_000 };

/** The index that serves the metric; one on the column itself before one on the column as halfvec. */
export function findVectorIndex(searched: VectorSearched): FoundIndex {
  const candidates = vectorIndexes(searched);
  const usable = candidates.filter(({ is_valid, is_partial }) => is_valid && !is_partial);
  const fitting = usable.filter(({ serves }) => serves === searched.metric);
  const found = fitting.find(({ holds }) => holds === "vector") ?? fitting[0];
  const invalid = candidates.filter(({ is_valid }) => !is_valid);
  const warnings = invalid.map(
    ({ quoted }) =>
      `index ${quoted} is not valid: its build failed or still runs. If it failed, run: drop index ${quoted}`,
  );
  if (!found) warnings.push(withoutIndex(searched, usable, candidates));
  return { index: found?.holds ?? null, name: found?.quoted, warnings };
}

function vectorIndexes({ table, column, extension }: VectorSearched): VectorIndex[] {
  const asHalfvec = `(${column.quoted})::${extension.quoted_schema}.halfvec(${column.modifier})`;
  return table.indexes.flatMap((index) => {
    const isOnColumn = index.position === column.position;
    if (!["hnsw", "ivfflat"].includes(index.method) || !(isOnColumn || index.expression === asHalfvec)) return [];
    const holds = isOnColumn ? "vector" : "halfvec";
    const serves = DISTANCE_METRICS.find((metric) => index.operator_class === `${holds}_${OPERATOR_CLASS[metric]}`);
    return [{ ...index, holds, serves }];
  });
}

function withoutIndex(searched: VectorSearched, usable: VectorIndex[], candidates: VectorIndex[]): string {
  const { column, metric } = searched;
  const statement = createIndexStatement(searched);
  const run = statement ?? "use a model of fewer dimensions";
  const other = usable.find(({ serves }) => serves !== undefined);
  if (other) {
    const change = `Set distance_metric to ${other.serves} if the model is made for it, or run: ${run}`;
    return `index ${other.quoted} serves ${other.serves}, not ${metric}: every search reads the whole table. ${change}`;
  }
  const partial = candidates.find(({ is_partial, is_valid }) => is_partial && is_valid);
  if (partial) {
    return `index ${partial.quoted} covers only some rows: every search reads the whole table. Run: ${run}`;
  }
  const what = `no index serves ${metric} on column ${writeName(column.name)}: every search reads the whole table`;
  if (statement === undefined) {
    return `${what}. No index holds ${column.modifier} dimensions (the most is ${MOST_DIMENSIONS.halfvec}): ${run} if it is slow`;
  }
  const limit = `Beyond ${MOST_DIMENSIONS.vector} dimensions an index holds halfvec. `;
  return `${what}. ${column.modifier > MOST_DIMENSIONS.vector ? limit : ""}Run: ${statement}`;
}

/** Without blocking writes, which a partitioned table cannot have. */
function createIndexStatement({ table, column, metric, extension }: VectorSearched): string | undefined {
  if (column.modifier > MOST_DIMENSIONS.halfvec) return undefined;
  const schema = extension.quoted_schema;
  // An index on a column of a domain is refused for want of dimensions; one on an expression says them itself.
  const holds = column.is_domain || column.modifier > MOST_DIMENSIONS.vector ? "halfvec" : "vector";
  const key = holds === "vector" ? column.quoted : `(${column.quoted}::${schema}.halfvec(${column.modifier}))`;
  const create = createIndex(table);
  return `${create} using hnsw (${key} ${schema}.${holds}_${OPERATOR_CLASS[metric]})`;
}

export function createIndex(table: CatalogTable): string {
  return `create index ${table.kind === "p" ? "" : "concurrently "}on ${table.quoted}`;
}

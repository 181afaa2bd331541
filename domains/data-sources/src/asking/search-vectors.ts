import type { DistanceMetric, Hit } from "@svc/contract";
import { searchStatement } from "../queries/search.ts";
import type { SourceRow } from "../queries/sources.ts";
import type { EntryPlan } from "../search-plan.ts";
import type { CheckedFilter } from "./check-filters.ts";
import type { RowEstimator } from "./estimate-rows.ts";
import type { SourcePools } from "./source-pools.ts";

export interface VectorSearch {
  pools: SourcePools;
  estimateRows: RowEstimator;
  /** Up to this many rows all are compared; beyond, the index is asked. */
  exactRows: number;
}

interface WantedNeighbours {
  plan: EntryPlan;
  /** In pgvector's binary form. */
  vector: Buffer;
  filters: CheckedFilter[];
  topK: number;
}

/**
 * The nearest rows of one table. An index finds the nearest first and filters then, so behind a narrow filter it
 * misses most: of 200,000 rows with 1 in 100 passing, 28 of 100 true neighbours were missed. Comparing the few rows
 * that pass is both exact and quicker, hence the estimate.
 */
export async function searchVectors(
  { pools, estimateRows, exactRows }: VectorSearch,
  source: SourceRow,
  { plan, vector, filters, topK }: WantedNeighbours,
  signal: AbortSignal,
): Promise<Hit[]> {
  const isExact = plan.index === null || (await estimateRows(source, plan, filters, signal)) <= exactRows;
  const text = searchStatement(
    plan,
    filters.map(({ column }) => column),
    isExact ? "exact" : "approximate",
  );
  const rows = await pools.query(
    source,
    { text, values: [vector, topK, ...filters.map(({ values }) => values)] },
    signal,
  );
  return rows.flatMap((row) => toHit(plan, row));
}

function toHit({ label, metric, contentColumns }: EntryPlan, row: unknown[]): Hit[] {
  const score = scoreOf(metric, Number(row[contentColumns.length]));
  // A vector of zeros has no direction, so its cosine is no number.
  if (!Number.isFinite(score)) return [];
  // Made from entries, since a column may be called __proto__.
  const metadata = Object.fromEntries([
    ...contentColumns.slice(2).map((column, index) => [column, row[index + 2]] as const),
    ["_score", score],
    ["_target", label],
  ]);
  const title = contentColumns.length > 1 ? (row[1] as string | null) : null;
  return [{ id: (row[0] as string | null) ?? "", title, metadata }];
}

/** Higher is better, whatever the metric. Six digits: what is behind them is noise of float4. */
function scoreOf(metric: DistanceMetric, distance: number): number {
  const score = metric === "cosine" ? 1 - distance : metric === "l2" ? 1 / (1 + distance) : -distance;
  return Math.round(score * 1e6) / 1e6;
}

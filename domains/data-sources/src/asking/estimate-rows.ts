import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { estimateStatement } from "../queries/search.ts";
import type { SourceRow } from "../queries/sources.ts";
import type { EntryPlan } from "../search-plan.ts";
import type { CheckedFilter } from "./check-filters.ts";
import type { SourcePools } from "./source-pools.ts";

/** How many rows of a table pass the filters, roughly. */
export type RowEstimator = (
  source: SourceRow,
  plan: EntryPlan,
  filters: CheckedFilter[],
  signal: AbortSignal,
) => Promise<number>;

/** Statistics change slowly, and one round trip saved is a tenth of a short question. */
const TRUSTED_MS = 60_000;

export function createRowEstimator(pools: SourcePools): RowEstimator {
  const estimates = new LRUCache<string, number>({ max: 20_000, ttl: TRUSTED_MS });
  return async (source, plan, filters, signal) => {
    const key = digestOf([source.database_id, plan.schema, plan.table, filters]);
    const known = estimates.get(key);
    if (known !== undefined) return known;
    const statement = {
      text: estimateStatement(
        plan,
        filters.map(({ column }) => column),
      ),
      values: filters.map(({ values }) => values),
    };
    const [[explained] = []] = await pools.query(source, statement, signal);
    const rows = (explained as { Plan: { "Plan Rows": number } }[])[0]?.Plan["Plan Rows"] ?? 0;
    estimates.set(key, rows);
    return rows;
  };
}

/** Filter values are part of a question, of which nothing is kept. */
function digestOf(parts: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

import type { DistanceMetric } from "@svc/contract";

/** All that a search of one table needs to know, as it stood in the catalog when the configuration was saved. */
export interface EntryPlan {
  label: string;
  model: string;
  dimensions: number;
  metric: DistanceMetric;
  schema: string;
  table: string;
  vectorColumn: string;
  /** In the order of the configuration: id, title, then the rest. */
  contentColumns: string[];
  /** Columns that can be filtered on, each with the SQL type that values are cast to, quoted. */
  filterCasts: Record<string, string>;
  /** Schema that the extension `vector` is in. */
  extensionSchema: string;
  /** An index that serves the metric: on the column itself, or on the column as halfvec; null where there is none. */
  index: "vector" | "halfvec" | null;
}

export interface SearchPlan {
  entries: EntryPlan[];
}

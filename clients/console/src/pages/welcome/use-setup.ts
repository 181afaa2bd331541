import type { DataSource, ManagedDatabase } from "@svc/contract";
import { useDatabases, useSources } from "../data-source/queries.ts";

/** Steps are done in a terminal too; the page sees it soon. */
const LOOK_AGAIN_MS = 1_500;

export interface Setup {
  isLoading: boolean;
  error: unknown;
  retry: () => void;
  database: ManagedDatabase | undefined;
  source: DataSource | undefined;
}

/** How far the organization is, by what is there and not by what was pressed. */
export function useSetup(enabled: boolean): Setup {
  const databases = useDatabases({ enabled, everyMs: LOOK_AGAIN_MS });
  const sources = useSources({ enabled, everyMs: LOOK_AGAIN_MS });
  const usable = (databases.data?.items ?? []).filter(({ status }) => status !== "deleting");
  const sourceOf = ({ source_id }: ManagedDatabase): DataSource | undefined =>
    sources.data?.items.find((source) => source.source_id === source_id);
  // The one that is furthest, so that whoever comes back goes on where they were.
  const database = usable.toSorted((a, b) => progress(sourceOf(b)) - progress(sourceOf(a)))[0];
  return {
    isLoading: databases.isLoading || sources.isLoading,
    error: databases.error ?? sources.error,
    retry: () => void Promise.all([databases.refetch(), sources.refetch()]),
    database,
    source: database && sourceOf(database),
  };
}

function progress(source: DataSource | undefined): number {
  return Number(source?.search_configured) + Number(source?.exposed);
}

import type { DataSource, ManagedDatabase } from "@svc/contract";
import { useQuery } from "@tanstack/react-query";
import { useOrg } from "../../session/use-org.ts";

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
  const { org, api } = useOrg();
  const watched = { enabled, refetchInterval: LOOK_AGAIN_MS };
  const databases = useQuery({
    queryKey: [org.slug, "databases"],
    queryFn: () => api.listDatabases(),
    ...watched,
  });
  const sources = useQuery({ queryKey: [org.slug, "sources"], queryFn: () => api.listSources(), ...watched });
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

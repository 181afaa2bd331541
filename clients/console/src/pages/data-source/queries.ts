import type { AskableSource, DataSource, Instance, ManagedDatabase, SourceHealth } from "@svc/contract";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useOrg } from "../../session/use-org.ts";
import { takeTurns } from "./take-turns.ts";

interface Asked {
  enabled?: boolean;
  /** For a page on which somebody waits for what is done elsewhere. */
  everyMs?: number;
}

/** Every source of the organization; for developers and up. */
export function useSources({ enabled = true, everyMs }: Asked = {}): UseQueryResult<{ items: DataSource[] }> {
  const { org, api } = useOrg();
  return useQuery({
    queryKey: [org.slug, "sources"],
    queryFn: () => api.listSources(),
    enabled,
    refetchInterval: everyMs ?? false,
  });
}

/** The sources that the person may ask. */
export function useAskableSources({ enabled = true }: Asked = {}): UseQueryResult<{ items: AskableSource[] }> {
  const { org, api } = useOrg();
  return useQuery({ queryKey: [org.slug, "askable"], queryFn: () => api.listAskableSources(), enabled });
}

const UNTIL_MADE_MS = 1_500;

/** Asked again and again while one of them is being made. */
export function useDatabases({ enabled = true, everyMs }: Asked = {}): UseQueryResult<{ items: ManagedDatabase[] }> {
  const { org, api } = useOrg();
  return useQuery({
    queryKey: [org.slug, "databases"],
    queryFn: () => api.listDatabases(),
    enabled,
    refetchInterval: ({ state }) =>
      everyMs ?? (state.data?.items.some(({ status }) => status === "creating") ? UNTIL_MADE_MS : false),
  });
}

const HEALTH_FRESH_MS = 60_000;
// A check looks into the database itself: a page of sources must not take all of the service for its own.
const takeTurn = takeTurns(4);

export function useHealth(sourceId: string, { enabled = true }: Asked = {}): UseQueryResult<SourceHealth> {
  const { org, api } = useOrg();
  return useQuery({
    queryKey: [org.slug, "health", sourceId],
    queryFn: ({ signal }) => takeTurn(() => api.sourceHealth(sourceId), signal),
    staleTime: HEALTH_FRESH_MS,
    enabled,
  });
}

export function useInstance(): UseQueryResult<Instance> {
  const { api } = useOrg();
  return useQuery({
    queryKey: ["instance"],
    queryFn: () => api.instance(),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** After something was changed: whatever shows sources or databases asks again. */
export function useAskAgain(): (changed?: { sourceId: string }) => Promise<void> {
  const { org } = useOrg();
  const queries = useQueryClient();
  return async (changed) => {
    // Nobody waits for a look into the database.
    if (changed) void queries.invalidateQueries({ queryKey: [org.slug, "health", changed.sourceId] });
    const lists = ["sources", "askable", "databases"];
    await Promise.all(lists.map((list) => queries.invalidateQueries({ queryKey: [org.slug, list] })));
  };
}

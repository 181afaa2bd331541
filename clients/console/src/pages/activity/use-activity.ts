import type { Activity } from "@svc/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useOrg } from "../../session/use-org.ts";
import { type Pages, usePages } from "../../session/use-pages.tsx";
import type { ActivitySearch } from "./activity-search.ts";

const PAGE = 100;
const LIVE_MS = 4_000;

/**
 * Pages of what was asked, and what came since. Only the newest page is asked for again and again; to renew all that
 * were loaded would be a hundred requests where somebody scrolled far.
 */
export function useActivity(search: ActivitySearch, isLive: boolean): Pages<Activity> {
  const { org, api } = useOrg();
  const queries = useQueryClient();
  const key = [org.slug, "activity", search];
  const pages = usePages(key, (cursor) => api.listActivity({ ...ofApi(search), limit: PAGE, cursor }));
  const newest = useQuery({
    queryKey: [...key, "newest"],
    queryFn: async () => {
      const { items } = await api.listActivity({ ...ofApi(search), limit: PAGE });
      const isGap = pages.rows.length > 0 && items.length === PAGE && !items.some(({ id }) => id === pages.rows[0]?.id);
      if (isGap) await queries.resetQueries({ queryKey: key, exact: true });
      return items;
    },
    enabled: isLive && !pages.isLoading,
    refetchInterval: LIVE_MS,
    staleTime: 0,
  });
  // What has come stays when it is no longer live.
  const added = newest.data;
  // The same rows are the same array: a table of thousands works its model out again for another.
  const rows = useMemo(() => withNewest(pages.rows, added), [pages.rows, added]);
  return { ...pages, rows, error: pages.error ?? newest.error };
}

function withNewest(rows: Activity[], newest: readonly Activity[] = []): Activity[] {
  const known = new Set(rows.map(({ id }) => id));
  const added = newest.filter(({ id }) => !known.has(id));
  return added.length > 0 ? [...added, ...rows] : rows;
}

type ApiFilters = NonNullable<Parameters<ReturnType<typeof useOrg>["api"]["listActivity"]>[0]>;

/** The address may name anybody; whether there is such a person, the service knows. */
export function ofApi({ type = "functions", ...rest }: ActivitySearch): ApiFilters {
  return { type, ...rest } as ApiFilters;
}

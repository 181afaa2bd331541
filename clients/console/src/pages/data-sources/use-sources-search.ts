import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import type { SourcesSearch } from "./sources-search.ts";

const route = getRouteApi("/o/$org/data-sources");

/** The filters and the order of the list, which are in the address. */
export function useSourcesSearch(): [SourcesSearch, (change: SourcesSearch) => void] {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: SourcesSearch) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true }),
    [navigate],
  );
  return [search, change];
}

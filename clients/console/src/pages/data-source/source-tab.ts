import { getRouteApi } from "@tanstack/react-router";

const SOURCE_TABS = ["overview", "try", "connect"] as const;
export type SourceTab = (typeof SOURCE_TABS)[number];

/** What the address says; a tab that is none is as if it said nothing. */
export function readSourceSearch({ tab }: Record<string, unknown>): { tab?: SourceTab | undefined } {
  return { tab: SOURCE_TABS.find((known) => known === tab) };
}

const route = getRouteApi("/o/$org/data-sources/$sourceId");

/** The part of the page that the address names. */
export function useSourceTab(first: SourceTab): [SourceTab, (tab: SourceTab) => void] {
  const { tab = first } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (next: SourceTab): void =>
    void navigate({ search: { tab: next === first ? undefined : next }, replace: true, resetScroll: false });
  return [tab, open];
}

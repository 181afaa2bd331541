import type { AskableSource } from "@svc/contract";
import type { ReactNode } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { formatCount } from "../../components/format-count.ts";
import { useOrg } from "../../session/use-org.ts";
import { useAskableSources } from "../data-source/queries.ts";
import { listInWords } from "../data-source/list-in-words.ts";
import { whoMayAsk } from "../data-source/role-words.ts";
import { NameCell } from "./name-cell.tsx";
import { NoMatch, NothingToAsk } from "./no-sources.tsx";
import { SourceFilter } from "./source-filter.tsx";
import { sortInSearch, sortOf } from "./sources-search.ts";
import { useSourcesSearch } from "./use-sources-search.ts";

/** What those see who may ask and no more, and why they see no more. */
export function AskableTable({ whyNoMore }: { whyNoMore: string }): ReactNode {
  const { org } = useOrg();
  const [search, setSearch] = useSourcesSearch();
  const askable = useAskableSources();
  const all = askable.data?.items ?? [];
  const rows = all.filter(({ name }) => search.name === undefined || name.includes(search.name.toLowerCase()));
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-[70ch] text-sm text-muted">These are the sources that you may ask. {whyNoMore}</p>
      {(all.length > 0 || askable.isPending) && <SourceFilter />}
      <DataTable
        label="Data sources"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        onRowHref={({ id }) => `/o/${org.slug}/data-sources/${id}`}
        sort={sortOf(search)}
        onSort={(sort) => setSearch({ sort: sortInSearch(sort) })}
        isLoading={askable.isPending}
        error={askable.error ?? undefined}
        onRetry={() => void askable.refetch()}
        empty={
          all.length > 0 ? (
            <NoMatch name={search.name ?? ""} onClear={() => setSearch({ name: undefined })} />
          ) : (
            <NothingToAsk />
          )
        }
      />
    </div>
  );
}

const COLUMNS: Column<AskableSource>[] = [
  {
    id: "name",
    header: "Name",
    sortable: true,
    sortValue: ({ name }) => name,
    cell: ({ name, description }) => <NameCell name={name} description={description} />,
  },
  {
    id: "targets",
    header: "Searches in",
    hideBelow: "md",
    cell: ({ targets }) =>
      targets.length > 0 ? listInWords(targets, 3) : <span className="text-muted">Nothing yet</span>,
  },
  { id: "exposed", header: "Can be asked by", width: 190, cell: ({ min_role }) => whoMayAsk(min_role) },
  {
    id: "filters",
    header: "Filters",
    width: 90,
    align: "right",
    sortable: true,
    sortValue: ({ filters }) => Object.keys(filters).length,
    cell: ({ filters }) => formatCount(Object.keys(filters).length),
  },
];

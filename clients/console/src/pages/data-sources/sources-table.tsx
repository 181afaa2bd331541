import { type ReactNode, useMemo } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { formatCount } from "../../components/format-count.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useOrg } from "../../session/use-org.ts";
import { useDatabases, useSources } from "../data-source/queries.ts";
import { ExposureCell } from "./exposure-cell.tsx";
import { HealthCell } from "./health-cell.tsx";
import { NameCell } from "./name-cell.tsx";
import { NoMatch, NoSource } from "./no-sources.tsx";
import { joinRows, type SourceRow } from "./source-row.ts";
import { SourceFilter } from "./source-filter.tsx";
import { sortInSearch, sortOf } from "./sources-search.ts";
import { useSourcesSearch } from "./use-sources-search.ts";

/** Every source and database, for those who look after them. */
export function SourcesTable(): ReactNode {
  const { org } = useOrg();
  const [search, setSearch] = useSourcesSearch();
  const sources = useSources();
  const databases = useDatabases();
  const all = useMemo(
    () => joinRows(sources.data?.items ?? [], databases.data?.items ?? []),
    [sources.data, databases.data],
  );
  const rows = all.filter(({ name }) => search.name === undefined || name.includes(search.name.toLowerCase()));
  const retry = (): void => {
    void sources.refetch();
    void databases.refetch();
  };
  return (
    <div className="flex flex-col gap-3">
      {(all.length > 0 || sources.isPending) && <SourceFilter />}
      <DataTable
        label="Data sources"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ sourceId }) => sourceId}
        onRowHref={({ sourceId }) => `/o/${org.slug}/data-sources/${sourceId}`}
        sort={sortOf(search)}
        onSort={(sort) => setSearch({ sort: sortInSearch(sort) })}
        isLoading={sources.isPending}
        error={sources.error ?? databases.error ?? undefined}
        onRetry={retry}
        empty={
          all.length > 0 ? (
            <NoMatch name={search.name ?? ""} onClear={() => setSearch({ name: undefined })} />
          ) : (
            <NoSource />
          )
        }
      />
    </div>
  );
}

const COLUMNS: Column<SourceRow>[] = [
  {
    id: "name",
    header: "Name",
    sortable: true,
    sortValue: ({ name }) => name,
    cell: ({ name, description }) => <NameCell name={name} description={description} />,
  },
  { id: "health", header: "Health", width: 150, cell: (row) => <HealthCell row={row} /> },
  {
    id: "exposed",
    header: "Can be asked by",
    width: 190,
    sortable: true,
    sortValue: ({ source }) => exposureRank(source),
    cell: ({ source }) => <ExposureCell source={source} />,
  },
  {
    id: "filters",
    header: "Filters",
    width: 90,
    align: "right",
    hideBelow: "lg",
    sortable: true,
    sortValue: ({ source }) => filterCount(source),
    cell: ({ source }) => formatCount(filterCount(source)),
  },
  {
    id: "updated",
    header: "Updated",
    width: 140,
    hideBelow: "md",
    sortable: true,
    sortValue: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
];

const RANK = { viewer: 1, developer: 2, admin: 3, owner: 4 };

/** Widest first, and what nobody can ask at the end. */
function exposureRank(source: SourceRow["source"]): number {
  return source?.exposed ? RANK[source.min_role] : 5;
}

function filterCount(source: SourceRow["source"]): number {
  return Object.keys(source?.filter_schema ?? {}).length;
}

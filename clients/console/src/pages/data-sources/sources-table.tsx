import { type ReactNode, useMemo } from "react";
import type { Column } from "../../components/data-table.tsx";
import { formatCount } from "../../components/format-count.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useDatabases, useSources } from "../data-source/queries.ts";
import { ExposureCell } from "./exposure-cell.tsx";
import { HealthCell } from "./health-cell.tsx";
import { NameCell } from "./name-cell.tsx";
import { NoSource } from "./no-sources.tsx";
import { SourceList } from "./source-list.tsx";
import { joinRows, type SourceRow } from "./source-row.ts";

/** Every source and database, for those who look after them. */
export function SourcesTable(): ReactNode {
  const sources = useSources();
  const databases = useDatabases();
  const all = useMemo(
    () => joinRows(sources.data?.items ?? [], databases.data?.items ?? []),
    [sources.data, databases.data],
  );
  const retry = (): void => {
    void sources.refetch();
    void databases.refetch();
  };
  return (
    <div className="flex flex-col gap-3">
      <SourceList
        all={all}
        columns={COLUMNS}
        sourceIdOf={({ sourceId }) => sourceId}
        isPending={sources.isPending}
        error={sources.error ?? databases.error}
        onRetry={retry}
        none={<NoSource />}
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

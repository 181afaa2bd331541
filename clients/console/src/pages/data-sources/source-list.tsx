import type { ReactNode } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { useOrg } from "../../session/use-org.ts";
import { NoMatch } from "./no-sources.tsx";
import { SourceFilter } from "./source-filter.tsx";
import { sortInSearch, sortOf } from "./sources-search.ts";
import { useSourcesSearch } from "./use-sources-search.ts";

interface SourceListProps<T> {
  all: T[];
  columns: Column<T>[];
  sourceIdOf: (row: T) => string;
  isPending: boolean;
  error: Error | null;
  onRetry: () => void;
  /** Shown where there is not one source, whatever the filter. */
  none: ReactNode;
}

/** Sources by their names, filtered and sorted as the address says; each leads to its page. */
export function SourceList<T extends { name: string }>(props: SourceListProps<T>): ReactNode {
  const { all, columns, sourceIdOf, isPending, error, onRetry, none } = props;
  const { org } = useOrg();
  const [search, setSearch] = useSourcesSearch();
  const rows = all.filter(({ name }) => search.name === undefined || name.includes(search.name.toLowerCase()));
  return (
    <>
      {(all.length > 0 || isPending) && <SourceFilter />}
      <DataTable
        label="Data sources"
        columns={columns}
        rows={rows}
        rowKey={sourceIdOf}
        onRowHref={(row) => `/o/${org.slug}/data-sources/${sourceIdOf(row)}`}
        sort={sortOf(search)}
        onSort={(sort) => setSearch({ sort: sortInSearch(sort) })}
        isLoading={isPending}
        error={error ?? undefined}
        onRetry={onRetry}
        empty={
          all.length > 0 ? <NoMatch name={search.name ?? ""} onClear={() => setSearch({ name: undefined })} /> : none
        }
      />
    </>
  );
}

import {
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  sortFn_text,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import type { Column, TableSort } from "./table-column.ts";

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, text: sortFn_text, basic: sortFn_basic },
});

export interface SortedRowsOptions<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Kept here unless the caller does. */
  sort?: TableSort | undefined;
  onSort?: ((sort: TableSort) => void) | undefined;
}

export interface SortedRows<T> {
  rows: T[];
  sort: TableSort | undefined;
  /** Sorts by a column, or turns its order round. */
  sortBy: (column: string) => void;
}

export function useSortedRows<T>(options: SortedRowsOptions<T>): SortedRows<T> {
  const { columns, rows, rowKey, onSort } = options;
  const [ownSort, setOwnSort] = useState<TableSort>();
  const sort = onSort ? options.sort : (ownSort ?? options.sort);
  const definitions = useMemo(
    () =>
      columns.map(({ id, header, sortable = false, sortValue }) => ({
        id,
        header,
        accessorFn: (row: RowData) => sortValue?.(row as T),
        enableSorting: sortable,
        sortUndefined: "last" as const,
      })),
    [columns],
  );
  // By its parts: a caller may make the object anew at each render, and to sort thousands again costs.
  const { column, direction } = sort ?? {};
  const sorting = useMemo(() => (column ? [{ id: column, desc: direction === "desc" }] : []), [column, direction]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows as readonly RowData[],
    getRowId: (row) => rowKey(row as T),
    manualSorting: !columns.some(({ sortValue }) => sortValue),
    enableSortingRemoval: false,
    state: { sorting },
  });
  const sorted = table.getRowModel().rows;
  return {
    rows: useMemo(() => sorted.map(({ original }) => original as T), [sorted]),
    sort,
    sortBy: (column) => {
      const direction = table.getColumn(column)?.getNextSortingOrder() || "asc";
      (onSort ?? setOwnSort)({ column, direction });
    },
  };
}

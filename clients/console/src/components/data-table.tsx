import type { ReactNode } from "react";
import { Skeleton, skeletonWidth } from "./skeleton.tsx";
import type { Column, TableSort } from "./table-column.ts";
import { TableFrame, type TableStates } from "./table-frame.tsx";
import { TableHead } from "./table-head.tsx";
import { TableRow, type TableRowProps } from "./table-row.tsx";
import { useSortedRows } from "./use-sorted-rows.ts";

export type { Column, TableSort } from "./table-column.ts";

export interface DataTableProps<T> extends TableStates, Pick<TableRowProps<T>, "onRowHref" | "onRowOpen"> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  sort?: TableSort | undefined;
  onSort?: ((sort: TableSort) => void) | undefined;
  /** How many rows are expected while they load. */
  loadingRows?: number;
}

export function DataTable<T>({ loadingRows = 5, ...props }: DataTableProps<T>): ReactNode {
  const { label, columns, rowKey, onRowHref, onRowOpen, isLoading = false } = props;
  const { rows, sort, sortBy } = useSortedRows(props);
  const isEmpty = rows.length === 0;
  return (
    <TableFrame {...props} isEmpty={isEmpty}>
      {/* Cards make blocks of its parts, and for some browsers it would be no table then: so the roles are said. */}
      <table
        role="table"
        aria-busy={isLoading}
        className="w-full table-fixed border-separate border-spacing-0 max-sm:block"
      >
        <caption className="sr-only">{label}</caption>
        <TableHead columns={columns} sort={sort} sortBy={sortBy} />
        <tbody role="rowgroup" className="max-sm:block">
          {rows.map((row) => (
            <TableRow key={rowKey(row)} {...{ row, columns, onRowHref, onRowOpen }} />
          ))}
          {isEmpty && <LoadingRows columns={columns} count={loadingRows} />}
        </tbody>
      </table>
      {isLoading && (
        <p role="status" className="sr-only">
          Loading
        </p>
      )}
    </TableFrame>
  );
}

/** A row like any other, so that it has its height at every width. */
export function LoadingRows<T>({ columns, count }: { columns: readonly Column<T>[]; count: number }): ReactNode {
  return Array.from({ length: count }, (_row, row) => {
    const blanks = columns.map((column, index) => ({
      ...column,
      sortValue: undefined,
      cell: (): ReactNode =>
        column.hideHeader ? null : (
          <Skeleton
            className={`h-3 max-sm:w-24 ${skeletonWidth(row, index)} ${column.align === "right" ? "ml-auto" : ""}`}
          />
        ),
    }));
    return <TableRow<unknown> key={row} row={undefined} columns={blanks} />;
  });
}

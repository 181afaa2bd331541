import { type ReactNode, useRef } from "react";
import { type DataTableProps, LoadingRows } from "./data-table.tsx";
import { TableFrame } from "./table-frame.tsx";
import { TableHead } from "./table-head.tsx";
import { useSortedRows } from "./use-sorted-rows.ts";
import { VirtualRows } from "./virtual-rows.tsx";

export interface VirtualTableProps<T> extends DataTableProps<T> {
  /** Of what scrolls, as CSS says it. */
  maxHeight?: string;
  /** How many there are in all, where that is more than is here; -1 where nobody knows. */
  total?: number;
  /** Called when the last rows come into view. */
  onNearEnd?: () => void;
}

/** The same table for thousands of rows: only those in view are in the document. */
export function VirtualTable<T>({ loadingRows = 12, maxHeight = "70vh", ...props }: VirtualTableProps<T>): ReactNode {
  const { label, columns, rowKey, onRowHref, onRowOpen, isLoading = false, total, onNearEnd } = props;
  const { rows, sort, sortBy } = useSortedRows(props);
  const scroller = useRef<HTMLDivElement>(null);
  const isEmpty = rows.length === 0;
  return (
    <TableFrame {...props} isEmpty={isEmpty}>
      <div
        ref={scroller}
        // What scrolls must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ maxHeight }}
        className="relative overflow-x-clip overflow-y-auto overscroll-contain -outline-offset-2 will-change-scroll"
      >
        <table
          role="table"
          aria-busy={isLoading}
          aria-rowcount={total === -1 ? -1 : (total ?? rows.length) + 1}
          className="w-full table-fixed border-separate border-spacing-0 max-sm:block"
        >
          <caption className="sr-only">{label}</caption>
          <TableHead columns={columns} sort={sort} sortBy={sortBy} sticky rowIndex={1} />
          {isEmpty ? (
            <tbody role="rowgroup" className="max-sm:block">
              <LoadingRows columns={columns} count={loadingRows} />
            </tbody>
          ) : (
            <VirtualRows {...{ scroller, rows, columns, rowKey, onRowHref, onRowOpen, onNearEnd }} />
          )}
        </table>
      </div>
      {isLoading && (
        <p role="status" className="sr-only">
          Loading
        </p>
      )}
    </TableFrame>
  );
}

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Column } from "./table-column.ts";
import { TableRow, type TableRowProps } from "./table-row.tsx";
import { useMediaQuery } from "./use-media-query.ts";

export interface VirtualRowsProps<T> extends Pick<TableRowProps<T>, "columns" | "onRowHref" | "onRowOpen"> {
  scroller: RefObject<HTMLDivElement | null>;
  rows: readonly T[];
  rowKey: (row: T) => string;
  onNearEnd?: (() => void) | undefined;
}

const ROW_HEIGHT = 40;
const OVERSCAN = 10;

/** Apart from the table, so that scrolling draws the rows again and not all around them. */
export function VirtualRows<T>({
  scroller,
  rows,
  columns,
  rowKey,
  onNearEnd,
  ...leads
}: VirtualRowsProps<T>): ReactNode {
  const asCards = useMediaQuery("(width < 40rem)");
  const height = asCards ? cardHeight(columns) : ROW_HEIGHT;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);

  const items = virtualizer.getVirtualItems();
  const last = items.at(-1);
  const isNearEnd = last !== undefined && last.index >= rows.length - OVERSCAN;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, rows.length, onNearEnd]);

  // A row that leaves the document takes the focus with it; the keyboard goes on at what scrolls then.
  const focused = useRef<Element>(null);
  useEffect(() => {
    if (focused.current?.isConnected !== false) return;
    focused.current = null;
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  });

  return (
    <>
      <Spacer height={items[0]?.start ?? 0} />
      <tbody role="rowgroup" className="max-sm:block" onFocus={({ target }) => (focused.current = target)}>
        {items.map(({ index }) => {
          const row = rows[index] as T;
          return <TableRow key={rowKey(row)} {...leads} {...{ row, columns, height }} rowIndex={index + 2} />;
        })}
      </tbody>
      <Spacer height={virtualizer.getTotalSize() - (last?.end ?? 0)} />
    </>
  );
}

/** Each column that a card shows is a line of 24 pixels; then padding and border. */
function cardHeight<T>(columns: readonly Column<T>[]): number {
  return 24 * columns.filter(({ hideBelow, hideHeader }) => !hideBelow && !hideHeader).length + 25;
}

/** Stands for the rows that are not in the document. */
function Spacer({ height }: { height: number }): ReactNode {
  return (
    <tbody aria-hidden className="max-sm:block">
      <tr className="max-sm:block" style={{ height }} />
    </tbody>
  );
}

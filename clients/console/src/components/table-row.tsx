import { type CSSProperties, memo, type MouseEvent, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { RowLink } from "./row-link.tsx";
import { cellDisplay, type Column } from "./table-column.ts";

export interface TableRowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  /** Where the row leads: its first cell is the link, and the whole row its target. */
  onRowHref?: ((row: T) => string | undefined) | undefined;
  /** Instead of a link, for what opens beside the table. */
  onRowOpen?: ((row: T) => void) | undefined;
  rowIndex?: number;
  /** Of the row, where it may not grow. */
  height?: number;
}

const NO_CORNER = "0px";
const ROW = "relative max-sm:block max-sm:border-b max-sm:border-line max-sm:px-4 max-sm:py-3 max-sm:last:border-b-0";

function Row<T>({ row, columns, onRowHref, onRowOpen, rowIndex, height }: TableRowProps<T>): ReactNode {
  const href = onRowHref?.(row);
  const corner = cornerOf(columns);
  const leads = href !== undefined || onRowOpen !== undefined;
  return (
    <tr
      role="row"
      aria-rowindex={rowIndex}
      style={{ height, "--corner": corner } as CSSProperties}
      onClick={leads ? pressTarget : undefined}
      // At once: rows that pass under the pointer while one scrolls would each fade, a third of the frame's cost.
      className={classNames(ROW, leads && "hover:bg-hover", "group/row")}
    >
      {columns.map((column, index) => {
        const content = column.cell(row);
        const isTarget = index === 0 && leads;
        return (
          <BodyCell
            key={column.id}
            column={column}
            isFirst={index === 0}
            isFixed={height !== undefined}
            hasCorner={corner !== NO_CORNER}
            title={typeof content === "string" ? content : undefined}
          >
            {isTarget ? <RowTarget {...{ href, row, onRowOpen }}>{content}</RowTarget> : content}
          </BodyCell>
        );
      })}
    </tr>
  );
}

/** What is drawn again while a long table scrolls are the rows that come in, and no others. */
export const TableRow = memo(Row) as typeof Row;

/** How much of a card's first line is taken by what stands in its corner: the column without its padding, and a gap. */
function cornerOf(columns: readonly Column<never>[]): string {
  const corner = columns.find(({ hideHeader }) => hideHeader);
  if (!corner) return NO_CORNER;
  return typeof corner.width === "number" ? `${corner.width - 20}px` : "3rem";
}

/** A time lies above the row's target for its tooltip; pressing it is still pressing the row. */
function pressTarget({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if (!(target instanceof Element) || !target.closest("time") || !currentTarget.contains(target)) return;
  currentTarget.querySelector<HTMLElement>("[data-row-target]")?.click();
}

// Reaches over the row; what can be pressed in the other cells lies above it.
const STRETCHED =
  "text-left font-medium text-ink after:absolute after:inset-0 outline-none after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus";

interface RowTargetProps<T> extends Pick<TableRowProps<T>, "row" | "onRowOpen"> {
  href: string | undefined;
  children: ReactNode;
}

function RowTarget<T>({ href, row, onRowOpen, children }: RowTargetProps<T>): ReactNode {
  if (href === undefined) {
    return (
      <button
        type="button"
        data-row-target
        onClick={() => onRowOpen?.(row)}
        className={classNames(STRETCHED, "max-w-full truncate")}
      >
        {children}
      </button>
    );
  }
  return (
    <RowLink href={href} className={STRETCHED}>
      {children}
    </RowLink>
  );
}

interface BodyCellProps<T> {
  column: Column<T>;
  isFirst: boolean;
  isFixed: boolean;
  /** Something stands beside the first cell of a card. */
  hasCorner: boolean;
  /** The whole text of a cell that may be cut off. */
  title: string | undefined;
  children: ReactNode;
}

const CELL = "h-10 px-3 text-sm max-sm:h-auto max-sm:p-0 sm:border-b sm:border-line sm:group-last/row:border-b-0";
const ABOVE = "[&_:is(a,button,input,time,[tabindex])]:relative [&_:is(a,button,input,time,[tabindex])]:z-1";

// On a card, what has no words of its own stands beside the name, which is as high then.
const CORNER = "max-sm:absolute max-sm:top-3 max-sm:right-4";
// An icon alone is narrower than its button.
const ICON_CORNER = "max-sm:absolute max-sm:top-3 max-sm:right-2 pointer-coarse:max-sm:right-1";
const ICON_WIDTH = 64;
const LINE = "max-sm:min-h-6";
const BUTTON_LINE = "max-sm:min-h-8 pointer-coarse:max-sm:min-h-10";

function BodyCell<T>({ column, isFirst, isFixed, hasCorner, title, children }: BodyCellProps<T>): ReactNode {
  const { header, align, hideBelow, hideHeader } = column;
  return (
    <td
      role="cell"
      className={classNames(
        CELL,
        cellDisplay(hideBelow),
        !isFirst && ABOVE,
        align === "right" && "tabular text-right",
        hideHeader && (column.width === ICON_WIDTH ? ICON_CORNER : CORNER),
      )}
    >
      <div
        className={classNames(
          "flex min-w-0 items-center gap-4 max-sm:justify-between",
          hideHeader || (isFirst && hasCorner) ? BUTTON_LINE : LINE,
        )}
      >
        {!isFirst && !hideHeader && (
          <span aria-hidden className="shrink-0 text-muted sm:hidden">
            {header}
          </span>
        )}
        {/* The padding leaves room for the outline of what has the focus. */}
        <div
          title={title}
          className={classNames(
            "-m-1 min-w-0 truncate p-1 sm:flex-1",
            isFirst ? "max-sm:mr-(--corner)" : "max-sm:text-right",
            !isFixed && "max-sm:break-words max-sm:whitespace-normal",
          )}
        >
          {children}
        </div>
      </div>
    </td>
  );
}

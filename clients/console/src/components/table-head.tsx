import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { cellDisplay, type Column, type TableSort } from "./table-column.ts";

export interface TableHeadProps<T> {
  columns: readonly Column<T>[];
  sort: TableSort | undefined;
  sortBy: (column: string) => void;
  /** Stays in view while the rows are scrolled. */
  sticky?: boolean;
  rowIndex?: number;
}

/** On a phone only what sorts is left of it, as a line of buttons above the cards. */
export function TableHead<T>({ columns, sort, sortBy, sticky = false, rowIndex }: TableHeadProps<T>): ReactNode {
  const sortable = columns.some((column) => column.sortable);
  return (
    <thead role="rowgroup" className={classNames("max-sm:block", sticky && "sticky top-0 z-2")}>
      <tr
        role="row"
        aria-rowindex={rowIndex}
        className={
          sortable
            ? "max-sm:flex max-sm:flex-wrap max-sm:gap-x-1 max-sm:border-b max-sm:border-line max-sm:bg-sunken max-sm:px-2.5"
            : "max-sm:sr-only"
        }
      >
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} sortBy={sortBy} />
        ))}
      </tr>
    </thead>
  );
}

const HEAD =
  "sm:h-9 sm:w-(--column-width) sm:border-b sm:border-line sm:bg-sunken sm:px-3 text-xs font-medium text-muted";

function HeadCell<T>({
  column,
  sort,
  sortBy,
}: { column: Column<T> } & Pick<TableHeadProps<T>, "sort" | "sortBy">): ReactNode {
  const { id, header, align = "left", sortable, width, hideBelow, hideHeader } = column;
  const direction = sort?.column === id ? sort.direction : undefined;
  const words = direction === "desc" ? "descending" : "ascending";
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={direction && words}
      style={{ "--column-width": typeof width === "number" ? `${width}px` : width } as CSSProperties}
      className={classNames(
        HEAD,
        cellDisplay(hideBelow),
        !sortable && "max-sm:sr-only",
        align === "right" ? "text-right" : "text-left",
      )}
    >
      {sortable ? (
        <SortButton header={header} align={align} direction={direction} onPress={() => sortBy(id)} />
      ) : (
        <span className={hideHeader ? "sr-only" : "block truncate"}>{header}</span>
      )}
    </th>
  );
}

interface SortButtonProps {
  header: string;
  align: "left" | "right";
  direction: "asc" | "desc" | undefined;
  onPress: () => void;
}

function SortButton({ header, align, direction, onPress }: SortButtonProps): ReactNode {
  const Icon = direction ? { asc: ArrowUp, desc: ArrowDown }[direction] : ChevronsUpDown;
  return (
    <button
      type="button"
      onClick={onPress}
      className={classNames(
        "group -mx-1.5 inline-flex h-7 max-w-[calc(100%+0.75rem)] items-center gap-1 rounded-sm px-1.5 -outline-offset-2 hover:text-ink max-sm:mx-0 max-sm:h-10 pointer-coarse:h-10",
        align === "right" && "sm:flex-row-reverse",
        direction && "text-ink",
      )}
    >
      <span className="truncate">{header}</span>
      <Icon
        aria-hidden
        className={classNames(
          "size-3 shrink-0",
          !direction &&
            "text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100",
        )}
      />
    </button>
  );
}

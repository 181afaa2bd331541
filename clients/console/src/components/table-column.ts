import type { ReactNode } from "react";

export interface Column<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Numbers go to the right, and are tabular there. */
  align?: "left" | "right";
  sortable?: boolean;
  /** What to sort by. Without it on any column, the rows are taken to come in order. */
  sortValue?: (row: T) => string | number | undefined;
  /** In pixels, or as CSS says it. Columns without share what is left. */
  width?: number | string;
  hideBelow?: "sm" | "md" | "lg";
  /** For who sees it the column speaks for itself, as one of menus does. */
  hideHeader?: boolean;
}

export interface TableSort {
  column: string;
  direction: "asc" | "desc";
}

const SHOWN_FROM = {
  sm: "hidden sm:table-cell",
  md: "hidden md:table-cell",
  lg: "hidden lg:table-cell",
};

/** A table from 640 pixels on; below it each row is a card, and each cell a line of it. */
export function cellDisplay(hideBelow: Column<unknown>["hideBelow"]): string {
  return hideBelow ? SHOWN_FROM[hideBelow] : "max-sm:block";
}

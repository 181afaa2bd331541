import type { TableSort } from "../../components/data-table.tsx";

/** What the address of the list says. */
export interface SourcesSearch {
  /** Part of a name. */
  name?: string;
  /** A column, with a minus in front for the other way round. */
  sort?: string;
}

export function readSourcesSearch(search: Record<string, unknown>): SourcesSearch {
  const { name, sort } = search;
  return {
    // A name of digits alone is read as a number by the router.
    ...((typeof name === "string" || typeof name === "number") && String(name) !== "" && { name: String(name) }),
    ...(typeof sort === "string" && /^-?[a-z]+$/.test(sort) && { sort }),
  };
}

export function sortOf({ sort }: SourcesSearch): TableSort {
  if (sort === undefined) return { column: "name", direction: "asc" };
  return sort.startsWith("-") ? { column: sort.slice(1), direction: "desc" } : { column: sort, direction: "asc" };
}

export function sortInSearch({ column, direction }: TableSort): string | undefined {
  if (column === "name" && direction === "asc") return undefined;
  return direction === "desc" ? `-${column}` : column;
}

import type { ReactNode } from "react";
import { FilterBar } from "../../components/filter-bar.tsx";
import { useSourcesSearch } from "./use-sources-search.ts";

const FILTERS = [{ id: "name", label: "Name", kind: "text", placeholder: "Filter by name" }] as const;

export function SourceFilter(): ReactNode {
  const [{ name }, setSearch] = useSourcesSearch();
  return <FilterBar filters={FILTERS} value={{ name }} onChange={(value) => setSearch({ name: value["name"] })} />;
}

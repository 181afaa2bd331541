import type { ReactNode } from "react";
import { ChartPatterns, FilterPatterns, TablePatterns, VirtualTablePatterns } from "./data-lists.tsx";
import { CodePatterns, LayoutPatterns, MarkPatterns, StatePatterns } from "./data-parts.tsx";

export function DataPatterns(): ReactNode {
  return (
    <>
      <MarkPatterns />
      <TablePatterns />
      <VirtualTablePatterns />
      <FilterPatterns />
      <ChartPatterns />
      <StatePatterns />
      <CodePatterns />
      <LayoutPatterns />
    </>
  );
}

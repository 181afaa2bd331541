import type { FilterSchema } from "@svc/contract";
import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";

const MOST_AT_FIRST = 12;

/** Columns that a question may filter on, each with the type of its values. */
export function FilterColumns({ filters }: { filters: FilterSchema }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const columns = Object.entries(filters);
  if (columns.length === 0) return "No column. A question searches all rows.";
  return (
    <>
      <ul className="flex flex-wrap gap-1.5">
        {(isWhole ? columns : columns.slice(0, MOST_AT_FIRST)).map(([column, type]) => (
          <li key={column} className="max-w-full rounded-sm border border-line bg-sunken px-1.5 py-px text-xs">
            <span className="font-mono break-all">{column}</span> <span className="text-muted">{type}</span>
          </li>
        ))}
      </ul>
      {columns.length > MOST_AT_FIRST && (
        <Button
          variant="ghost"
          size="sm"
          className="mt-1.5 -ml-2"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? `Show the first ${MOST_AT_FIRST}` : `Show all ${columns.length}`}
        </Button>
      )}
    </>
  );
}

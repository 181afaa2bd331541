import type { FilterSchema } from "@svc/contract";
import type { ReactNode } from "react";
import { Combobox } from "../../components/combobox.tsx";
import { FilterRow } from "./filter-row.tsx";
import type { FilterDraft } from "./question-draft.ts";

interface FilterFieldsProps {
  schema: FilterSchema;
  filters: FilterDraft[];
  onChange: (filters: FilterDraft[]) => void;
}

/** Only what the source can be filtered by is offered, each column once. */
export function FilterFields({ schema, filters, onChange }: FilterFieldsProps): ReactNode {
  const used = new Set(filters.map(({ column }) => column));
  const left = Object.entries(schema).filter(([column]) => !used.has(column));
  const add = (column: string | undefined): void => {
    if (column !== undefined) onChange([...filters, { column, values: [schema[column] === "boolean" ? "true" : ""] }]);
  };
  return (
    <div className="flex flex-col gap-3">
      {filters.map((filter, place) => (
        <FilterRow
          key={filter.column}
          filter={filter}
          type={schema[filter.column] ?? "string"}
          onChange={(changed) => onChange(filters.with(place, changed))}
          onRemove={() => onChange(filters.toSpliced(place, 1))}
        />
      ))}
      {left.length > 0 && (
        <Combobox
          // Another one for each filter, so that it is empty again.
          key={filters.length}
          label="Filter by a column"
          placeholder="Choose a column"
          value={undefined}
          options={left.map(([column, type]) => ({ value: column, label: column, hint: type }))}
          onChange={add}
        />
      )}
      {Object.keys(schema).length === 0 && (
        <p className="text-xs text-muted">This source has no columns to filter by.</p>
      )}
    </div>
  );
}

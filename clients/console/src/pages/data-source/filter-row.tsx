import type { FilterType } from "@svc/contract";
import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Select } from "../../components/select.tsx";
import type { FilterDraft } from "./question-draft.ts";

interface FilterRowProps {
  filter: FilterDraft;
  type: FilterType;
  onChange: (filter: FilterDraft) => void;
  onRemove: () => void;
}

/** One column, and the values of which a row must have one. */
export function FilterRow({ filter, type, onChange, onRemove }: FilterRowProps): ReactNode {
  const { column, values } = filter;
  const setValues = (next: string[]): void => (next.length === 0 ? onRemove() : onChange({ column, values: next }));
  return (
    <fieldset className="min-w-0 rounded-md border border-line bg-surface p-3 pt-2">
      <legend className="sr-only">Filter by {column}</legend>
      <div className="mb-2 flex items-center gap-2 text-sm">
        <span aria-hidden className="min-w-0 flex-1 font-mono wrap-anywhere">
          {column} <span className="font-sans text-xs text-muted">{type}</span>
        </span>
        <IconButton size="sm" label={`Remove the filter by ${column}`} icon={X} onClick={onRemove} />
      </div>
      <div className="flex flex-col gap-2">
        {values.map((value, place) => (
          <div key={place} className="flex items-center gap-2">
            <span className="w-7 shrink-0 text-right text-xs text-muted">{place === 0 ? "is" : "or"}</span>
            <div className="min-w-0 flex-1">
              <ValueField
                label={place === 0 ? `Value of ${column}` : `Other value of ${column}`}
                type={type}
                value={value}
                onChange={(next) => setValues(values.with(place, next))}
              />
            </div>
            {values.length > 1 && (
              <IconButton
                size="sm"
                label="Remove this value"
                icon={X}
                onClick={() => setValues(values.toSpliced(place, 1))}
              />
            )}
          </div>
        ))}
      </div>
      {type !== "boolean" && (
        <Button variant="ghost" size="sm" icon={Plus} className="mt-2 ml-7" onClick={() => setValues([...values, ""])}>
          Or another value
        </Button>
      )}
    </fieldset>
  );
}

interface ValueFieldProps {
  label: string;
  type: FilterType;
  value: string;
  onChange: (value: string) => void;
}

function ValueField({ label, type, value, onChange }: ValueFieldProps): ReactNode {
  if (type === "boolean") {
    return (
      <Select
        label={label}
        hideLabel
        value={value}
        onChange={onChange}
        options={[
          { value: "true", label: "true" },
          { value: "false", label: "false" },
        ]}
      />
    );
  }
  return (
    <TextField
      label={label}
      hideLabel
      // It was asked for a moment ago, and this is where one goes on.
      autoFocus={value === ""}
      autoComplete="off"
      inputMode={type === "number" ? "decimal" : "text"}
      value={value}
      onChange={onChange}
    />
  );
}

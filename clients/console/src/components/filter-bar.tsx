import { Search, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import type { Choice } from "./choice.tsx";
import { Combobox } from "./combobox.tsx";
import { TextField } from "./field.tsx";
import { Select } from "./select.tsx";

export type FilterDefinition =
  | { id: string; label: string; kind: "select" | "combobox"; options: readonly Choice[]; anyLabel?: string }
  | { id: string; label: string; kind: "text"; placeholder?: string };

export type FilterValue = Record<string, string | undefined>;

export interface FilterBarProps {
  filters: readonly FilterDefinition[];
  value: FilterValue;
  onChange: (value: FilterValue) => void;
  /** Beside the filters, such as a range of time. */
  children?: ReactNode;
}

export function FilterBar({ filters, value, onChange, children }: FilterBarProps): ReactNode {
  const isAnySet = filters.some(({ id }) => value[id] !== undefined);
  const cleared = Object.fromEntries(filters.map(({ id }) => [id, undefined]));
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-2">
      {filters.map((filter) => (
        <div key={filter.id} className={WIDTHS[filter.kind]}>
          <FilterControl
            filter={filter}
            value={value[filter.id]}
            onChange={(next) => onChange({ ...value, [filter.id]: next })}
          />
        </div>
      ))}
      {children}
      {isAnySet && (
        <Button variant="ghost" icon={X} onClick={() => onChange({ ...value, ...cleared })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

const WIDTHS: Record<FilterDefinition["kind"], string> = {
  text: "w-56 max-sm:w-full",
  combobox: "w-52 max-sm:w-full",
  select: "w-44 max-sm:w-auto max-sm:min-w-36 max-sm:flex-1",
};

interface FilterControlProps {
  filter: FilterDefinition;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A select has no empty choice of its own, so one stands for "not set". */
const ANY = "";

function FilterControl({ filter, value, onChange }: FilterControlProps): ReactNode {
  const { label } = filter;
  if (filter.kind === "text") {
    return <TextFilter label={label} placeholder={filter.placeholder ?? label} value={value} onChange={onChange} />;
  }
  const any = filter.anyLabel ?? `${label}: any`;
  if (filter.kind === "combobox") {
    return <Combobox {...{ label, value, onChange }} hideLabel options={filter.options} placeholder={any} />;
  }
  return (
    <Select
      label={label}
      hideLabel
      placeholder={any}
      value={value ?? ANY}
      onChange={(next) => onChange(next === ANY ? undefined : next)}
      options={[{ value: ANY, label: any }, ...filter.options]}
    />
  );
}

/** What is typed is asked for once it rests: each letter alone would be a request. */
const REST_MS = 300;

function TextFilter({
  label,
  placeholder,
  value,
  onChange,
}: Omit<FilterControlProps, "filter"> & { label: string; placeholder: string }): ReactNode {
  const [typed, setTyped] = useState(value ?? "");
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
    setTyped(value ?? "");
  }
  useEffect(() => {
    const next = typed.trim() === "" ? undefined : typed.trim();
    if (next === value) return;
    const timer = setTimeout(() => onChange(next), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <TextField
      label={label}
      hideLabel
      enterKeyHint="search"
      icon={Search}
      placeholder={placeholder}
      value={typed}
      onChange={setTyped}
    />
  );
}

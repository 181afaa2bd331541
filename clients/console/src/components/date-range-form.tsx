import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import type { TimeRange } from "./date-range.tsx";
import { TextField } from "./field.tsx";

export function DateRangeForm({ from, to, onApply }: TimeRange & { onApply: (range: TimeRange) => void }): ReactNode {
  const [start, setStart] = useState(toLocal(from));
  const [end, setEnd] = useState(toLocal(to));
  // Both have the same form, so that text compares as time does.
  const isReversed = start !== "" && end !== "" && start > end;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (!isReversed) onApply({ from: fromLocal(start), to: fromLocal(end) });
  };
  return (
    <form onSubmit={apply} className="flex flex-col gap-4">
      <TextField label="From" type="datetime-local" value={start} onChange={setStart} />
      <TextField
        label="To"
        type="datetime-local"
        value={end}
        onChange={setEnd}
        hint="Leave empty for until now."
        error={isReversed ? "The end is before the start. Choose a later end." : undefined}
      />
      <div className="flex justify-end gap-2">
        <Button variant="ghost" onClick={() => onApply({ from: undefined, to: undefined })}>
          Any time
        </Button>
        <Button type="submit">Show range</Button>
      </div>
    </form>
  );
}

/** The field knows the reader's own zone only, the address of the page none at all. */
function toLocal(iso: string | undefined): string {
  if (iso === undefined) return "";
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function fromLocal(local: string): string | undefined {
  return local === "" ? undefined : new Date(local).toISOString();
}

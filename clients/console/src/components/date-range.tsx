import { Popover } from "@base-ui/react/popover";
import { CalendarClock, ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { buttonLook } from "./button-look.ts";
import { classNames } from "./class-names.ts";
import { DateRangeForm } from "./date-range-form.tsx";
import { formatBrief } from "./format-time.ts";
import { popupLook } from "./popup-look.ts";
import { useNow } from "./use-now.ts";

/** ISO 8601, each open where it is missing. */
export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

export interface DateRangeProps extends TimeRange {
  onChange: (range: TimeRange) => void;
}

const HOUR = 3_600_000;
const PRESETS = [
  { label: "1 hour", span: HOUR },
  { label: "24 hours", span: 24 * HOUR },
  { label: "7 days", span: 7 * 24 * HOUR },
  { label: "30 days", span: 30 * 24 * HOUR },
];

const PART =
  "relative inline-flex h-7 items-center rounded-md px-2.5 text-sm font-medium text-muted transition-colors select-none hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:ring-1 aria-pressed:ring-line-strong pointer-coarse:h-10";

export function DateRange({ from, to, onChange }: DateRangeProps): ReactNode {
  const now = useNow();
  const [open, setOpen] = useState(false);
  const chosen = to === undefined && from !== undefined ? presetOf(now - Date.parse(from)) : undefined;
  return (
    <div role="group" aria-label="Range of time" className="flex flex-wrap items-center gap-2">
      <div className="inline-flex rounded-md border border-line-strong bg-sunken p-px">
        {PRESETS.map(({ label, span }) => (
          <button
            key={span}
            type="button"
            aria-pressed={chosen === span}
            className={PART}
            onClick={() => onChange({ from: new Date(Date.now() - span).toISOString(), to: undefined })}
          >
            <span className="sr-only">Last </span>
            {label}
          </button>
        ))}
      </div>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger className={classNames(buttonLook({}), "max-w-full")}>
          <CalendarClock aria-hidden size={14} />
          <span className="tabular truncate">{chosen === undefined ? inWords({ from, to }) : "Exact times"}</span>
          <ChevronDown aria-hidden size={14} className="text-faint" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-50">
            <Popover.Popup
              aria-label="Exact times"
              className={classNames(popupLook, "w-72 max-w-(--available-width) p-4")}
            >
              <DateRangeForm
                from={from}
                to={to}
                onApply={(range) => {
                  setOpen(false);
                  onChange(range);
                }}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

/** A range that was chosen some time ago is no longer the last hour, and is then named by its times. */
function presetOf(span: number): number | undefined {
  return PRESETS.find((preset) => Math.abs(preset.span - span) <= preset.span * 0.05)?.span;
}

function inWords({ from, to }: TimeRange): string {
  const start = from && formatBrief(new Date(from));
  const end = to && formatBrief(new Date(to));
  if (start && end) return `${start} – ${end}`;
  if (start) return `Since ${start}`;
  return end ? `Until ${end}` : "Any time";
}

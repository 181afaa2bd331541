import { Lock } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { type Permission } from "./permission.ts";
import { type Tab } from "./tabs.tsx";
import { Tooltip } from "./tooltip.tsx";

interface Segment<V extends string> extends Tab<V> {
  permission?: Permission | undefined;
}

export interface SegmentedControlProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  tabs: readonly Segment<V>[];
}

/** Two or three choices that exclude one another; arrow keys move as in any group of radio buttons. */
export function SegmentedControl<V extends string>(props: SegmentedControlProps<V>): ReactNode {
  const { label, value, onChange, tabs } = props;
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full min-w-0 shrink-0 self-start rounded-md border border-line-strong p-px">
      <legend className="sr-only">{label}</legend>
      {tabs.map((tab) => (
        <SegmentLabel
          key={tab.value}
          tab={tab}
          name={name}
          checked={tab.value === value}
          onChoose={() => onChange(tab.value)}
        />
      ))}
    </fieldset>
  );
}

interface SegmentLabelProps {
  tab: Segment<string>;
  name: string;
  checked: boolean;
  onChoose: () => void;
}

function SegmentLabel({ tab, name, checked, onChoose }: SegmentLabelProps): ReactNode {
  const reasonId = useId();
  const forbidden = tab.permission?.allowed === false;
  const radio = (
    <input
      type="radio"
      name={name}
      value={tab.value}
      checked={checked}
      aria-disabled={forbidden || undefined}
      aria-describedby={forbidden ? reasonId : undefined}
      onChange={() => {
        if (!forbidden) onChoose();
      }}
      className="absolute inset-0 cursor-[inherit] appearance-none opacity-0"
    />
  );
  return (
    <label
      className={classNames(
        look,
        forbidden ? "cursor-not-allowed text-faint" : "cursor-pointer text-muted hover:text-ink",
      )}
    >
      {forbidden ? (
        <Tooltip text={tab.permission?.reason} describes={false} showOnPress>
          {radio}
        </Tooltip>
      ) : (
        radio
      )}
      <span className="truncate">{tab.label}</span>
      {forbidden && <Lock aria-hidden size={12} className="shrink-0" />}
      {tab.count !== undefined && <span className="tabular text-2xs text-faint">{tab.count.toLocaleString("en")}</span>}
      {forbidden && (
        <span id={reasonId} hidden>
          {tab.permission?.reason}
        </span>
      )}
    </label>
  );
}

const look =
  "relative inline-flex h-7 min-w-0 items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium transition-colors select-none has-checked:bg-surface has-checked:text-ink has-checked:ring-1 has-checked:ring-field-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:h-10";

import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode } from "react";

export interface Tab<V extends string = string> {
  value: V;
  label: string;
  count?: number | undefined;
}

export interface TabsProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  tabs: readonly Tab<V>[];
  /** The panels. Left out where the page below is another route. */
  children?: ReactNode;
}

export function Tabs<V extends string>({ label, value, onChange, tabs, children }: TabsProps<V>): ReactNode {
  return (
    <Base.Root value={value} onValueChange={(next: V) => onChange(next)} className="w-full min-w-0">
      <Base.List
        aria-label={label}
        className="relative flex gap-4 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="inline-flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent text-sm font-medium text-muted transition-colors select-none hover:text-ink focus-visible:-outline-offset-2 data-active:border-ink data-active:text-ink pointer-coarse:h-10"
          >
            {tab.label}
            {tab.count !== undefined && <Count value={tab.count} />}
          </Base.Tab>
        ))}
      </Base.List>
      {children}
    </Base.Root>
  );
}

function Count({ value }: { value: number }): ReactNode {
  return (
    <span className="tabular rounded-full bg-sunken px-1.5 text-2xs text-muted">{value.toLocaleString("en")}</span>
  );
}

export function TabPanel({ value, children }: { value: string; children: ReactNode }): ReactNode {
  return (
    <Base.Panel value={value} className="rounded-md pt-4">
      {children}
    </Base.Panel>
  );
}

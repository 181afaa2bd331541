import { type ReactNode } from "react";

/** A component; its states stand side by side. */
export function PatternGroup({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-6">
      <h3 className="text-lg font-semibold">{name}</h3>
      <div className="grid grid-cols-1 items-start gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
    </section>
  );
}

/** One state of a component. */
export function PatternState({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h4 className="text-xs text-faint">{name}</h4>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}

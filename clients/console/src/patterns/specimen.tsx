import type { ReactNode } from "react";

/** One component in one state, with the name of that state above it. */
export function Specimen({ state, children }: { state: string; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <p className="mb-2 text-xs text-faint">{state}</p>
      {children}
    </div>
  );
}

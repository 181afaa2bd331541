import { type ReactNode } from "react";

/** One of the options of a list to choose from. */
export interface Choice<V extends string = string> {
  value: V;
  label: string;
  hint?: string | undefined;
}

export function ChoiceText({ label, hint }: { label: ReactNode; hint: string | undefined }): ReactNode {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="truncate">{label}</span>
      {hint !== undefined && <span className="text-xs text-muted">{hint}</span>}
    </span>
  );
}

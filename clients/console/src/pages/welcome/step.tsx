import { Check } from "lucide-react";
import type { ReactNode } from "react";

export type StepState = "done" | "current" | "later";

interface StepProps {
  number: number;
  title: string;
  state: StepState;
  /** What there is to see of it once it is done. */
  result?: ReactNode;
  children: ReactNode;
}

/** One thing to do. What comes later is named, so that nobody wonders how long it takes. */
export function Step({ number, title, state, result, children }: StepProps): ReactNode {
  return (
    <li
      aria-current={state === "current" ? "step" : undefined}
      className="flex gap-4 border-b border-line p-5 last:border-b-0 max-sm:gap-3 max-sm:p-4"
    >
      <span
        aria-hidden
        className={`mt-px grid size-6 shrink-0 place-items-center rounded-full text-xs font-medium ${LOOKS[state]}`}
      >
        {state === "done" ? <Check size={14} /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <h2 className={`text-base font-medium ${state === "later" ? "text-muted" : ""}`}>
          {title}
          {state === "done" && <span className="sr-only"> (done)</span>}
        </h2>
        {state === "done" && result && <div className="-mt-2 text-sm text-muted">{result}</div>}
        {state === "current" && children}
      </div>
    </li>
  );
}

const LOOKS: Record<StepState, string> = {
  done: "bg-ok-soft text-ok",
  current: "bg-action text-on-action",
  later: "border border-line-strong text-muted",
};

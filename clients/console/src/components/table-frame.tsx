import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { describeError } from "./describe-error.ts";
import { ErrorState } from "./error-state.tsx";
import { ForbiddenState } from "./forbidden-state.tsx";
import { inSentence } from "./in-sentence.ts";

export interface TableStates {
  /** What the table lists: "Data sources". */
  label: string;
  /** Shown where there are no rows. */
  empty?: ReactNode;
  isLoading?: boolean;
  error?: unknown;
  onRetry?: (() => void) | undefined;
  /** A permission as `usePermission` gives it, and who could give it. */
  forbidden?: { allowed?: boolean; reason: string; who?: string } | undefined;
  footer?: ReactNode;
}

export interface TableFrameProps extends TableStates {
  isEmpty: boolean;
  children: ReactNode;
}

/** Decides which of its states a list shows. Rows that are there stay, even if they cannot be renewed. */
export function TableFrame({ isEmpty, children, ...states }: TableFrameProps): ReactNode {
  return <div className="min-w-0 overflow-clip rounded-lg border border-line bg-surface">{contentOf()}</div>;

  function contentOf(): ReactNode {
    const { label, empty, isLoading, error, onRetry, forbidden, footer } = states;
    if (forbidden && !forbidden.allowed) return <ForbiddenState reason={forbidden.reason} who={forbidden.who} />;
    if (isEmpty && error) return <ErrorState error={error} what={`the ${inSentence(label)}`} onRetry={onRetry} />;
    if (isEmpty && !isLoading) return empty;
    return (
      <>
        {error ? <StaleNotice error={error} label={label} onRetry={onRetry} /> : null}
        {children}
        {footer && <div className="border-t border-line">{isEmpty ? <div className="h-12" /> : footer}</div>}
      </>
    );
  }
}

function StaleNotice({
  error,
  label,
  onRetry,
}: { error: unknown } & Pick<TableStates, "label" | "onRetry">): ReactNode {
  const { title, next } = describeError(error, `the ${inSentence(label)}`);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-warn-soft sm:flex-nowrap px-3 py-2 text-sm text-warn">
      <p role="alert">
        {title}. What you see may be out of date. {next}
      </p>
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

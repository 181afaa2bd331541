import { CircleAlert, Clock, Lock, type LucideIcon, RotateCw, SearchX, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { describeError, type ErrorWords } from "./describe-error.ts";
import { StateMessage } from "./state-message.tsx";
import { useCountdown } from "./use-countdown.ts";

const ICONS: Record<ErrorWords["kind"], LucideIcon> = {
  forbidden: Lock,
  missing: SearchX,
  offline: WifiOff,
  waiting: Clock,
  failed: CircleAlert,
};

export interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
  /** What was wanted: "the data sources". */
  what: string;
  /** Its title is that of the page. */
  isPage?: boolean;
}

export function ErrorState({ error, onRetry, what, isPage }: ErrorStateProps): ReactNode {
  const words = describeError(error, what);
  const left = useCountdown(words.retryAfterSeconds ?? 0, error);
  const wait = `The service takes requests again in ${left} ${left === 1 ? "second" : "seconds"}.`;
  const note = (left > 0 || words.code !== undefined) && (
    <>
      {left > 0 && <p className="tabular">{wait}</p>}
      {words.code && <p className="font-mono text-2xs text-faint">{words.code}</p>}
    </>
  );
  return (
    <StateMessage
      isAlert
      isPage={isPage}
      icon={ICONS[words.kind]}
      tone={words.kind === "failed" ? "danger" : "neutral"}
      title={words.title}
      note={note}
      action={onRetry && <RetryButton isWaiting={left > 0} onRetry={onRetry} />}
    >
      {words.detail && <p>{words.detail}</p>}
      {words.problems && <ProblemList problems={words.problems} />}
      <p>{words.next}</p>
    </StateMessage>
  );
}

/** Can be reached while it waits, because to disable it would throw out the keyboard. */
function RetryButton({ isWaiting, onRetry }: { isWaiting: boolean; onRetry: () => void }): ReactNode {
  return (
    <Button
      icon={RotateCw}
      aria-disabled={isWaiting || undefined}
      className="aria-disabled:cursor-not-allowed aria-disabled:bg-sunken aria-disabled:text-faint"
      onClick={() => !isWaiting && onRetry()}
    >
      Try again
    </Button>
  );
}

function ProblemList({ problems }: { problems: NonNullable<ErrorWords["problems"]> }): ReactNode {
  return (
    <ul className="my-2 space-y-1 rounded-md border border-line bg-sunken px-3 py-2 text-left">
      {problems.map(({ path, message }) => (
        <li key={`${path} ${message}`} className="break-words">
          {path !== "" && <span className="font-mono text-xs text-ink">{path}: </span>}
          {message}
        </li>
      ))}
    </ul>
  );
}

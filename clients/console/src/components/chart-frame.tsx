import { type ReactNode, Suspense, useId } from "react";
import { ErrorState } from "./error-state.tsx";
import { inSentence } from "./in-sentence.ts";
import { Skeleton } from "./skeleton.tsx";

export interface ChartFrameProps {
  title: string;
  /** What the chart shows, for who cannot see it. */
  summary: string;
  isLoading?: boolean;
  error?: unknown;
  onRetry?: (() => void) | undefined;
  /** Instead of the chart, where there is nothing to draw. */
  empty?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  /** The chart, which may be loaded lazily. */
  children: ReactNode;
}

export function ChartFrame({ title, summary, actions, children, ...states }: ChartFrameProps): ReactNode {
  const id = useId();
  return (
    <figure aria-labelledby={id} className="min-w-0 overflow-clip rounded-lg border border-line bg-surface">
      <figcaption className="flex min-h-10 flex-wrap items-center justify-between gap-2 px-4 pt-3">
        <span id={id} className="text-sm font-medium">
          {title}
        </span>
        {actions}
      </figcaption>
      {chartOf()}
    </figure>
  );

  function chartOf(): ReactNode {
    const { isLoading, error, onRetry, empty } = states;
    if (error) return <ErrorState error={error} what={`the ${inSentence(title)}`} onRetry={onRetry} />;
    if (isLoading) return <LoadingChart />;
    if (empty) return <div className="grid min-h-52 place-items-center">{empty}</div>;
    return (
      <div role="img" aria-label={summary} className="h-52 px-4 pt-2 pb-3">
        <Suspense fallback={<ChartBlank />}>{children}</Suspense>
      </div>
    );
  }
}

function LoadingChart(): ReactNode {
  return (
    <div role="status" className="h-52 px-4 pt-2 pb-3">
      <span className="sr-only">Loading</span>
      <ChartBlank />
    </div>
  );
}

const HEIGHTS = [
  "h-1/3",
  "h-1/2",
  "h-2/5",
  "h-3/4",
  "h-3/5",
  "h-1/4",
  "h-1/2",
  "h-2/3",
  "h-2/5",
  "h-1/2",
  "h-1/3",
  "h-3/5",
];

function ChartBlank(): ReactNode {
  return (
    <div aria-hidden className="flex h-full items-end gap-2 pb-6 pl-8">
      {HEIGHTS.map((height, index) => (
        <span key={index} className={`flex-1 ${height}`}>
          <Skeleton className="size-full" />
        </span>
      ))}
    </div>
  );
}

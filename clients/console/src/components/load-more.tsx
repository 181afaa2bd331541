import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { formatCount } from "./format-count.ts";

export interface LoadMoreProps {
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
  /** How many are shown now. */
  shown: number;
}

export function LoadMore({ hasMore, isLoading, onMore, shown }: LoadMoreProps): ReactNode {
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2 max-sm:px-4">
      <p role="status" className="tabular text-sm text-muted">
        {inWords(shown, hasMore)}
      </p>
      {hasMore && (
        <Button size="sm" pending={isLoading} onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

function inWords(shown: number, hasMore: boolean): string {
  if (shown === 0) return "";
  return hasMore ? `Showing the first ${formatCount(shown)}` : `All ${formatCount(shown)} shown`;
}

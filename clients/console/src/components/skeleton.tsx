import type { ReactNode } from "react";

/** Has the size of what replaces it, so that nothing jumps: give it with `className`. */
export function Skeleton({ className = "h-4 w-full" }: { className?: string }): ReactNode {
  return <span aria-hidden className={`block animate-pulse rounded-sm bg-line ${className}`} />;
}

/** Stands for something large, such as code: a field of grey would be more to see than what follows. */
export function SkeletonBlock({ className }: { className: string }): ReactNode {
  return <Skeleton className={`rounded-md! border border-line bg-sunken! ${className}`} />;
}

/** Uneven, as words are. */
const WIDTHS = ["w-3/5", "w-2/5", "w-1/2", "w-1/3", "w-3/4"];

export function skeletonWidth(row: number, column: number): string {
  return WIDTHS[(row * 2 + column * 3) % WIDTHS.length] ?? "w-1/2";
}

export interface SkeletonRowsProps {
  rows?: number;
  columns?: number;
  /** What is being loaded, for who cannot see it. */
  label?: string;
}

export function SkeletonRows({ rows = 5, columns = 4, label = "Loading" }: SkeletonRowsProps): ReactNode {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_row, row) => (
        <div key={row} aria-hidden className="flex h-10 items-center gap-4 border-b border-line px-3 last:border-b-0">
          {Array.from({ length: columns }, (_column, column) => (
            <span key={column} className="min-w-0 flex-1">
              <Skeleton className={`h-3 ${skeletonWidth(row, column)}`} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

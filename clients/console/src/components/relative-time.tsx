import type { ReactNode } from "react";
import { formatExact, formatRelative } from "./format-time.ts";
import { Tooltip } from "./tooltip.tsx";
import { useNow } from "./use-now.ts";

export interface RelativeTimeProps {
  at: string;
}

/** For what may not have happened yet, or never ends. */
export function TimeOrNever({ at }: { at: string | null }): ReactNode {
  return at === null ? <span className="text-muted">Never</span> : <RelativeTime at={at} />;
}

export function RelativeTime({ at }: RelativeTimeProps): ReactNode {
  const now = useNow();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  const exact = formatExact(date);
  return (
    <Tooltip text={exact} describes={false}>
      <time dateTime={date.toISOString()} className="relative whitespace-nowrap">
        {formatRelative(date, now)}
        <span className="sr-only">, {exact}</span>
      </time>
    </Tooltip>
  );
}

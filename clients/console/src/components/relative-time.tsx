import type { ReactNode } from "react";
import { formatExact, formatRelative } from "./format-time.ts";
import { Tooltip } from "./tooltip.tsx";
import { useNow } from "./use-now.ts";

export interface RelativeTimeProps {
  at: string;
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

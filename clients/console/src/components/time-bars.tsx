import type { ReactNode } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { Tone } from "./chip.tsx";
import { formatCount } from "./format-count.ts";
import { formatBrief, formatDay, formatTimeOfDay } from "./format-time.ts";

interface TimeBarsSeries {
  key: string;
  label: string;
  tone: Tone;
}

export interface TimeBarsProps {
  /** Each with the start of its span and a count for each series, oldest first. */
  bars: readonly { at: string; counts: Readonly<Record<string, number>> }[];
  series: readonly TimeBarsSeries[];
}

const FILLS: Record<Tone, string> = {
  neutral: "var(--color-faint)",
  ok: "var(--color-ok)",
  warn: "var(--color-warn)",
  danger: "var(--color-danger)",
  info: "var(--color-info)",
};
const TICK = { fill: "var(--color-muted)", fontSize: 11 };
const DAY = 24 * 3_600_000;

export default function TimeBars({ bars, series }: TimeBarsProps): ReactNode {
  const first = bars[0];
  const second = bars[1];
  const span = first && second ? Date.parse(second.at) - Date.parse(first.at) : 0;
  const format = span >= DAY ? formatDay : formatTimeOfDay;
  return (
    <div className="flex h-full flex-col gap-2">
      <Legend series={series} />
      <div className="min-h-0 flex-1">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={[...bars]}
            accessibilityLayer={false}
            barCategoryGap="20%"
            margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--color-line)" />
            <XAxis
              dataKey="at"
              tick={TICK}
              tickLine={false}
              axisLine={{ stroke: "var(--color-line-strong)" }}
              minTickGap={24}
              tickFormatter={(at: string) => format(new Date(at))}
            />
            <YAxis
              tick={TICK}
              tickLine={false}
              axisLine={false}
              width="auto"
              allowDecimals={false}
              tickFormatter={formatCount}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: "var(--color-hover)" }}
              content={({ active, payload, label }) =>
                active && <Reading at={String(label)} counts={payload[0]?.payload?.counts ?? {}} series={series} />
              }
            />
            {series.map(({ key, tone }) => (
              <Bar
                key={key}
                dataKey={(bar: TimeBarsProps["bars"][number]) => bar.counts[key] ?? 0}
                stackId="all"
                fill={FILLS[tone]}
                maxBarSize={28}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </div>
  );
}

function Legend({ series }: Pick<TimeBarsProps, "series">): ReactNode {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {series.map(({ key, label, tone }) => (
        <span key={key} className="flex items-center gap-1.5">
          <Mark tone={tone} />
          {label}
        </span>
      ))}
    </div>
  );
}

function Mark({ tone }: { tone: Tone }): ReactNode {
  return <span className="size-2 shrink-0 rounded-[2px]" style={{ background: FILLS[tone] }} />;
}

interface ReadingProps {
  at: string;
  counts: Readonly<Record<string, number>>;
  series: readonly TimeBarsSeries[];
}

function Reading({ at, counts, series }: ReadingProps): ReactNode {
  return (
    <div className="rounded-md border border-line bg-surface px-3 py-2 text-xs shadow-float">
      <p className="mb-1 text-muted">{formatBrief(new Date(at))}</p>
      {series.map(({ key, label, tone }) => (
        <p key={key} className="flex items-center gap-2">
          <Mark tone={tone} />
          <span className="flex-1">{label}</span>
          <span className="tabular pl-4 text-right font-medium">{formatCount(counts[key] ?? 0)}</span>
        </p>
      ))}
    </div>
  );
}

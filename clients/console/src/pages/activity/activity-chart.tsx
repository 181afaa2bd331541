import type { ActivityHistogram } from "@svc/contract";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode } from "react";
import { ChartFrame } from "../../components/chart-frame.tsx";
import { formatCount } from "../../components/format-count.ts";
import { useOrg } from "../../session/use-org.ts";
import type { ActivitySearch } from "./activity-search.ts";
import { ofApi } from "./use-activity.ts";

const TimeBars = lazy(() => import("../../components/time-bars.tsx"));
const LIVE_MS = 15_000;

export function ActivityChart({ search, isLive }: { search: ActivitySearch; isLive: boolean }): ReactNode {
  const { org, api } = useOrg();
  const histogram = useQuery({
    queryKey: [org.slug, "activity-histogram", search],
    queryFn: () => api.activityHistogram(ofApi(search)),
    refetchInterval: isLive && LIVE_MS,
  });
  const { buckets = [] } = histogram.data ?? {};
  const total = count(histogram.data, "ok") + count(histogram.data, "failed");
  return (
    <ChartFrame
      title={search.from ? "Questions in this time" : "Questions in the last 24 hours"}
      summary={`${formatCount(total)} questions, of which ${formatCount(count(histogram.data, "failed"))} were refused or failed.`}
      isLoading={histogram.isPending}
      error={histogram.error}
      onRetry={() => void histogram.refetch()}
      empty={total === 0 && <p className="text-sm text-muted">Nothing was asked in this time.</p>}
      actions={histogram.data && <span className="tabular text-sm text-muted">{formatCount(total)}</span>}
    >
      <TimeBars
        bars={buckets.map(({ at, ok, failed }) => ({ at, counts: { ok, failed } }))}
        series={[
          { key: "ok", label: "Answered", tone: "info" },
          { key: "failed", label: "Refused or failed", tone: "danger" },
        ]}
      />
    </ChartFrame>
  );
}

function count(histogram: ActivityHistogram | undefined, key: "ok" | "failed"): number {
  return (histogram?.buckets ?? []).reduce((sum, bucket) => sum + bucket[key], 0);
}

import type { Activity } from "@svc/contract";
import { isAtLeast } from "@svc/contract/plain";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { History } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DateRange } from "../../components/date-range.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { Page } from "../../components/page.tsx";
import { SegmentedControl } from "../../components/segmented-control.tsx";
import { Switch } from "../../components/switch.tsx";
import { VirtualTable } from "../../components/virtual-table.tsx";
import { useOrg } from "../../session/use-org.ts";
import { listingOf } from "../../session/use-pages.tsx";
import { useSources } from "../data-source/queries.ts";
import { ActivityChart } from "./activity-chart.tsx";
import { ActivityDrawer } from "./activity-drawer.tsx";
import { type ActivitySearch, readActivitySearch } from "./activity-search.ts";
import { COLUMNS } from "./columns.tsx";
import { ExportButton } from "./export-button.tsx";
import { useActivity } from "./use-activity.ts";
import { SOURCE_WORDS } from "./words.ts";

const route = getRouteApi("/o/$org/activity");
const KINDS = [
  { value: "functions", label: "Functions" },
  { value: "data_sources", label: "Data sources" },
] as const;

/** What was asked: who, when, how long, how much. Never the words. */
export function ActivityPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isLive, setLive] = useState(true);
  const [opened, setOpened] = useState<Activity>();
  const kind = search.type ?? "functions";
  const activity = useActivity(search, isLive);
  const filter = (change: Record<string, string | undefined>): void =>
    void navigate({ search: readActivitySearch({ ...search, ...change }), replace: true });
  return (
    <Page
      title="Activity"
      description="Who asked, when, and how much came back. The words of questions and answers are never kept."
      actions={
        <>
          <Switch label="Live" checked={isLive} onChange={setLive} />
          <ExportButton search={search} />
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <SegmentedControl label="Type" value={kind} onChange={(type) => filter({ type })} tabs={KINDS} />
        <Filters search={search} onChange={filter} />
      </div>
      <ActivityChart search={search} isLive={isLive} />
      <VirtualTable
        label="Activity"
        columns={COLUMNS}
        {...listingOf(activity)}
        rowKey={({ id }) => id}
        onRowOpen={setOpened}
        total={activity.hasMore ? -1 : activity.rows.length}
        onNearEnd={activity.hasMore && !activity.isLoadingMore ? activity.loadMore : undefined}
        empty={<Nothing search={search} />}
      />
      {opened && <ActivityDrawer activity={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

interface FiltersProps {
  search: ActivitySearch;
  onChange: (change: Record<string, string | undefined>) => void;
}

function Filters({ search, onChange }: FiltersProps): ReactNode {
  const { org, api } = useOrg();
  const people = useQuery({ queryKey: [org.slug, "people"], queryFn: () => api.listMembers(org.slug, { limit: 100 }) });
  const sources = useSources({ enabled: isAtLeast(org.role, "developer") });
  return (
    <FilterBar
      filters={[
        {
          id: "source",
          label: "Source",
          kind: "select",
          anyLabel: "Any source",
          options: Object.entries(SOURCE_WORDS).map(([value, label]) => ({ value, label })),
        },
        {
          id: "source_id",
          label: "Data source",
          kind: "combobox",
          anyLabel: "Any data source",
          options: (sources.data?.items ?? []).map(({ source_id }) => ({ value: source_id, label: source_id })),
        },
        {
          id: "user_id",
          label: "Asked by",
          kind: "combobox",
          anyLabel: "Anyone",
          options: (people.data?.items ?? []).map(({ user }) => ({ value: user.id, label: user.email })),
        },
      ]}
      value={{ source: search.source, source_id: search.source_id, user_id: search.user_id }}
      onChange={onChange}
    >
      <DateRange from={search.from} to={search.to} onChange={({ from, to }) => onChange({ from, to })} />
    </FilterBar>
  );
}

function Nothing({ search: { type = "functions", ...filters } }: { search: ActivitySearch }): ReactNode {
  if (Object.values(filters).some((value) => value !== undefined)) {
    return (
      <EmptyState icon={History} title="Nothing matches these filters">
        Clear them, or choose a longer time.
      </EmptyState>
    );
  }
  return type === "functions" ? (
    <EmptyState icon={History} title="No function was called">
      Questions to data sources are under the type Data sources.
    </EmptyState>
  ) : (
    <EmptyState icon={History} title="Nobody has asked anything yet">
      Each question of a person, a script or an agent shows up here within seconds.
    </EmptyState>
  );
}

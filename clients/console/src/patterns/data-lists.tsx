import { Database, Ellipsis } from "lucide-react";
import { lazy, type ReactNode, useState } from "react";
import { ChartFrame } from "../components/chart-frame.tsx";
import { StatusDot } from "../components/chip.tsx";
import { type Column, DataTable, type DataTableProps } from "../components/data-table.tsx";
import { DateRange, type TimeRange } from "../components/date-range.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { FilterBar, type FilterDefinition, type FilterValue } from "../components/filter-bar.tsx";
import { formatCount } from "../components/format-count.ts";
import { IconButton } from "../components/icon-button.tsx";
import { LoadMore } from "../components/load-more.tsx";
import { Section } from "../components/page.tsx";
import { RelativeTime } from "../components/relative-time.tsx";
import type { TimeBarsProps } from "../components/time-bars.tsx";
import { VirtualTable } from "../components/virtual-table.tsx";
import { longSources, sampleErrors, type SampleSource, sampleSources } from "./sample-rows.ts";
import { Specimen } from "./specimen.tsx";

const TimeBars = lazy(() => import("../components/time-bars.tsx"));

const columns: Column<SampleSource>[] = [
  { id: "name", header: "Name", cell: ({ name }) => name, sortable: true, sortValue: ({ name }) => name },
  {
    id: "state",
    header: "State",
    cell: ({ state }) => <StatusDot tone={state.tone}>{state.word}</StatusDot>,
    width: 120,
  },
  { id: "kind", header: "Kind", cell: ({ kind }) => kind, width: 140, hideBelow: "lg" },
  {
    id: "documents",
    header: "Documents",
    cell: ({ documents }) => formatCount(documents),
    align: "right",
    sortable: true,
    sortValue: ({ documents }) => documents,
    width: 130,
  },
  {
    id: "changed",
    header: "Changed",
    cell: ({ changedAt }) => <RelativeTime at={changedAt} />,
    sortable: true,
    sortValue: ({ changedAt }) => changedAt,
    width: 140,
  },
  {
    id: "menu",
    header: "More",
    hideHeader: true,
    cell: ({ name }) => <IconButton size="sm" label={`More for ${name}`} icon={Ellipsis} />,
    align: "right",
    width: 56,
  },
];

const nothing = (
  <EmptyState icon={Database} title="No data sources yet">
    What agents may search is listed here once it is connected.
  </EmptyState>
);

const common: Omit<DataTableProps<SampleSource>, "rows" | "label"> = {
  columns,
  rowKey: ({ id }) => id,
  onRowHref: () => "/patterns",
  empty: nothing,
  onRetry: () => undefined,
};

export function TablePatterns(): ReactNode {
  return (
    <Section title="Table" description="Below 640 pixels its rows become cards.">
      <div className="grid gap-6">
        <Specimen state="Filled, sortable, rows lead elsewhere">
          <DataTable
            {...common}
            label="Data sources"
            rows={sampleSources.slice(0, 6)}
            sort={{ column: "name", direction: "asc" }}
            footer={<LoadMore hasMore isLoading={false} onMore={() => undefined} shown={6} />}
          />
        </Specimen>
        <Specimen state="Loading">
          <DataTable {...common} label="Sources that load" rows={[]} isLoading loadingRows={3} />
        </Specimen>
        <Specimen state="Long content">
          <DataTable {...common} label="Sources with long names" rows={longSources} />
        </Specimen>
        <Specimen state="Empty">
          <DataTable {...common} label="No sources" rows={[]} />
        </Specimen>
        <Specimen state="Error">
          <DataTable {...common} label="Sources that failed" rows={[]} error={sampleErrors["internal error"]} />
        </Specimen>
        <Specimen state="Error while rows are there">
          <DataTable
            {...common}
            label="Old sources"
            rows={sampleSources.slice(0, 2)}
            error={sampleErrors["not reachable"]}
          />
        </Specimen>
        <Specimen state="Forbidden">
          <DataTable
            {...common}
            label="Hidden sources"
            rows={[]}
            forbidden={{ reason: "Seeing the members needs the role admin or higher. You are a viewer." }}
          />
        </Specimen>
      </div>
    </Section>
  );
}

export function VirtualTablePatterns(): ReactNode {
  const [opened, setOpened] = useState<string>();
  return (
    <Section
      title="Long table"
      description={`10,000 rows, of which only those in view are drawn. ${opened ? `Opened ${opened}.` : ""}`}
    >
      <div className="grid gap-6">
        <Specimen state="Filled, rows open something">
          <VirtualTable
            {...common}
            onRowHref={undefined}
            onRowOpen={({ name }) => setOpened(name)}
            label="All events"
            rows={sampleSources}
            maxHeight="25rem"
          />
        </Specimen>
        <Specimen state="Loading">
          <VirtualTable {...common} label="Events that load" rows={[]} isLoading loadingRows={3} />
        </Specimen>
      </div>
    </Section>
  );
}

const filters: FilterDefinition[] = [
  { id: "text", label: "Search", kind: "text", placeholder: "Search by name" },
  {
    id: "state",
    label: "State",
    kind: "select",
    options: [
      { value: "exposed", label: "Exposed" },
      { value: "private", label: "Private" },
    ],
  },
  {
    id: "source",
    label: "Source",
    kind: "combobox",
    options: sampleSources.slice(0, 40).map(({ id, name }) => ({ value: id, label: name })),
  },
];

export function FilterPatterns(): ReactNode {
  const [value, setValue] = useState<FilterValue>({ state: "exposed" });
  const [range, setRange] = useState<TimeRange>({ from: new Date(Date.now() - 24 * 3_600_000).toISOString() });
  const exact = { from: "2025-03-03T09:00:00.000Z", to: "2025-03-07T17:30:00.000Z" };
  return (
    <Section title="Filters and ranges of time">
      <div className="grid gap-4">
        <Specimen state="With one set">
          <FilterBar filters={filters} value={value} onChange={setValue} />
        </Specimen>
        <Specimen state="With a range of time, nothing set">
          <FilterBar filters={filters.slice(0, 2)} value={{}} onChange={() => undefined}>
            <DateRange {...range} onChange={setRange} />
          </FilterBar>
        </Specimen>
        <Specimen state="Exact times">
          <DateRange {...exact} onChange={() => undefined} />
        </Specimen>
      </div>
    </Section>
  );
}

const bars: TimeBarsProps["bars"] = Array.from({ length: 24 }, (_item, index) => ({
  at: new Date(Date.UTC(2025, 2, 3, index)).toISOString(),
  counts: { answered: (index * 37) % 90, refused: index % 5 },
}));
const series: TimeBarsProps["series"] = [
  { key: "answered", label: "Answered", tone: "info" },
  { key: "refused", label: "Refused", tone: "danger" },
];

export function ChartPatterns(): ReactNode {
  const chart = {
    title: "Calls by hour",
    summary: "24 hours, most calls at 17:00, few of them refused.",
    onRetry: () => undefined,
  };
  return (
    <Section title="Charts">
      <div className="grid gap-4 md:grid-cols-2">
        <Specimen state="Filled">
          <ChartFrame {...chart}>
            <TimeBars bars={bars} series={series} />
          </ChartFrame>
        </Specimen>
        <Specimen state="Loading">
          <ChartFrame {...chart} isLoading>
            {null}
          </ChartFrame>
        </Specimen>
        <Specimen state="Empty">
          <ChartFrame
            {...chart}
            empty={<p className="text-sm text-muted">No calls in this time. Choose a longer one.</p>}
          >
            {null}
          </ChartFrame>
        </Specimen>
        <Specimen state="Error">
          <ChartFrame {...chart} error={sampleErrors["too slow"]}>
            {null}
          </ChartFrame>
        </Specimen>
      </div>
    </Section>
  );
}

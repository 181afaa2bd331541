import type { AskableSource } from "@svc/contract";
import type { ReactNode } from "react";
import type { Column } from "../../components/data-table.tsx";
import { formatCount } from "../../components/format-count.ts";
import { useAskableSources } from "../data-source/queries.ts";
import { listInWords } from "../data-source/list-in-words.ts";
import { whoMayAsk } from "../data-source/role-words.ts";
import { NameCell } from "./name-cell.tsx";
import { NothingToAsk } from "./no-sources.tsx";
import { SourceList } from "./source-list.tsx";

/** What those see who may ask and no more, and why they see no more. */
export function AskableTable({ whyNoMore }: { whyNoMore: string }): ReactNode {
  const askable = useAskableSources();
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-[70ch] text-sm text-muted">These are the sources that you may ask. {whyNoMore}</p>
      <SourceList
        all={askable.data?.items ?? []}
        columns={COLUMNS}
        sourceIdOf={({ id }) => id}
        isPending={askable.isPending}
        error={askable.error}
        onRetry={() => void askable.refetch()}
        none={<NothingToAsk />}
      />
    </div>
  );
}

const COLUMNS: Column<AskableSource>[] = [
  {
    id: "name",
    header: "Name",
    sortable: true,
    sortValue: ({ name }) => name,
    cell: ({ name, description }) => <NameCell name={name} description={description} />,
  },
  {
    id: "targets",
    header: "Searches in",
    hideBelow: "md",
    cell: ({ targets }) =>
      targets.length > 0 ? listInWords(targets, 3) : <span className="text-muted">Nothing yet</span>,
  },
  { id: "exposed", header: "Can be asked by", width: 190, cell: ({ min_role }) => whoMayAsk(min_role) },
  {
    id: "filters",
    header: "Filters",
    width: 90,
    align: "right",
    sortable: true,
    sortValue: ({ filters }) => Object.keys(filters).length,
    cell: ({ filters }) => formatCount(Object.keys(filters).length),
  },
];

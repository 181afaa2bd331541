import type { Activity } from "@svc/contract";
import { Chip } from "../../components/chip.tsx";
import type { Column } from "../../components/data-table.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { formatBytes, formatDuration, outcomeInWords, SOURCE_WORDS, whoAsked } from "./words.ts";

export const COLUMNS: Column<Activity>[] = [
  { id: "at", header: "When", width: 130, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    id: "source_id",
    header: "Data source",
    cell: ({ source_id }) => <span className="block truncate font-mono text-xs">{source_id}</span>,
  },
  { id: "user", header: "Asked by", cell: (row) => <span className="block truncate">{whoAsked(row)}</span> },
  { id: "source", header: "Source", width: 84, cell: ({ source }) => <Chip>{SOURCE_WORDS[source]}</Chip> },
  {
    id: "outcome",
    header: "Outcome",
    width: 180,
    hideBelow: "md",
    cell: (row) => <Chip tone={row.outcome === "ok" ? "ok" : "danger"}>{outcomeInWords(row)}</Chip>,
  },
  {
    id: "duration",
    header: "Duration",
    width: 92,
    align: "right",
    cell: ({ duration_ms }) => formatDuration(duration_ms),
  },
  {
    id: "size",
    header: "Answer",
    width: 92,
    align: "right",
    hideBelow: "sm",
    cell: ({ answer_bytes }) => formatBytes(answer_bytes),
  },
];

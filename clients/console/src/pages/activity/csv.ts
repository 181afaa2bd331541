import type { Activity } from "@svc/contract";

const HEADER = [
  "at",
  "type",
  "data_source",
  "asked_by",
  "source",
  "outcome",
  "hits",
  "duration_ms",
  "question_bytes",
  "answer_bytes",
  "id",
];

export function toCsv(rows: readonly Activity[]): string {
  const lines = rows.map((row) => [
    row.at,
    row.type,
    row.source_id,
    row.user?.email ?? row.caller_kind,
    row.source,
    row.outcome,
    row.hits,
    row.duration_ms,
    row.question_bytes,
    row.answer_bytes,
    row.id,
  ]);
  return [HEADER, ...lines].map((cells) => cells.map(toCell).join(",")).join("\r\n");
}

/** A spreadsheet takes what begins like a formula for one; an apostrophe in front keeps it text. */
function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import { ApiProblem, ConnectionFailed } from "@svc/http-client";
import type { Tone } from "../components/chip.tsx";

export interface SampleSource {
  id: string;
  name: string;
  kind: string;
  state: { tone: Tone; word: string };
  documents: number;
  changedAt: string;
}

const now = Date.now();
const STATES: SampleSource["state"][] = [
  { tone: "ok", word: "Exposed" },
  { tone: "neutral", word: "Private" },
  { tone: "warn", word: "Stale" },
  { tone: "danger", word: "Failing" },
];
const NAMES = ["orders", "support_tickets", "product_catalog", "handbook", "invoices_2025"];

export const sampleSources: SampleSource[] = Array.from({ length: 10_000 }, (_item, index) => ({
  id: `src_${index}`,
  name: index < NAMES.length ? (NAMES[index] ?? "") : `events_${index}`,
  kind: index % 3 === 0 ? "PostgreSQL" : "Upload",
  state: STATES[index % STATES.length] ?? { tone: "neutral", word: "Private" },
  documents: (index * 7_919 + 12) % 240_000,
  changedAt: new Date(now - (index * 37 * 60_000 + 4 * 60_000)).toISOString(),
}));

export const longSources: SampleSource[] = sampleSources.slice(0, 2).map((source) => ({
  ...source,
  id: `${source.id}_long`,
  name: "quarterly_revenue_by_region_product_and_channel_including_returns_and_adjustments_restated_for_comparison",
  kind: "PostgreSQL with a description that goes on",
  documents: 1_234_567_890,
}));

function sampleProblem(
  status: number,
  code: "FORBIDDEN" | "INTERNAL" | "INVALID_FILTER" | "NOT_FOUND" | "RATE_LIMITED",
  title: string,
  detail: string,
): ApiProblem {
  const problem = { type: "about:blank", title, status, code, detail };
  if (code !== "INVALID_FILTER") return new ApiProblem(problem, code === "RATE_LIMITED" ? 42 : undefined);
  return new ApiProblem({
    ...problem,
    problems: [
      { path: "where.price.gt", message: "is no number" },
      { path: "where.color", message: "is no column of the view; columns are name, price and updated_at" },
    ],
  });
}

export const sampleErrors: Record<string, unknown> = {
  "internal error": sampleProblem(500, "INTERNAL", "Internal error", "The request could not be handled."),
  "invalid request": sampleProblem(400, "INVALID_FILTER", "Invalid filter", "The filter does not fit the view."),
  "too many requests": sampleProblem(429, "RATE_LIMITED", "Too many requests", "At most 60 requests a minute."),
  "not allowed": sampleProblem(403, "FORBIDDEN", "Not allowed", "Reading the audit log needs the role admin."),
  "not found": sampleProblem(404, "NOT_FOUND", "Not found", "There is no data source with this id."),
  "not reachable": new ConnectionFailed("https://svc.example", new TypeError("Failed to fetch")),
  "too slow": new DOMException("signal timed out", "TimeoutError"),
  unknown: new Error("https://svc.example answered 200 with something else than was asked for"),
};

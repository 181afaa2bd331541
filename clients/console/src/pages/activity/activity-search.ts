import type { ActivitySource } from "@svc/contract";

const ACTIVITY_KINDS = ["functions", "data_sources"] as const;
type ActivityKind = (typeof ACTIVITY_KINDS)[number];
const SOURCES: readonly ActivitySource[] = ["mcp", "cli", "api"];

/** The filters, as the address has them. */
export interface ActivitySearch {
  type?: ActivityKind | undefined;
  source?: ActivitySource | undefined;
  source_id?: string | undefined;
  user_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** What makes no sense in an address that somebody typed is left out. */
export function readActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    return typeof value === "string" && value !== "" && value.length <= 100 ? value : undefined;
  };
  const time = (name: string): string | undefined => {
    const value = text(name);
    return value !== undefined && !Number.isNaN(Date.parse(value)) ? value : undefined;
  };
  return {
    type: ACTIVITY_KINDS.find((kind) => kind === search["type"]),
    source: SOURCES.find((source) => source === search["source"]),
    source_id: text("source_id"),
    user_id: text("user_id"),
    from: time("from"),
    to: time("to"),
  };
}

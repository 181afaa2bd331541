import type { Activity, ActivitySource } from "@svc/contract";
import { formatCount } from "../../components/format-count.ts";

export const SOURCE_WORDS: Record<ActivitySource, string> = { mcp: "MCP", cli: "CLI", api: "API" };

export function whoAsked({ user, caller_kind }: Activity): string {
  if (user) return user.email;
  return caller_kind === "workload" ? "A workload" : "Support staff";
}

/** "340 B", "12.4 KiB" */
export function formatBytes(bytes: number): string {
  return bytes < 1_024 ? `${bytes} B` : `${(bytes / 1_024).toFixed(1)} KiB`;
}

export function formatDuration(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${formatCount(Math.round(milliseconds))} ms`
    : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** "3 hits", or a refusal by its name: "Rate limited". */
export function outcomeInWords({ outcome, hits }: Activity): string {
  if (outcome === "ok") return hits === 1 ? "1 hit" : `${formatCount(hits)} hits`;
  const words = outcome.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

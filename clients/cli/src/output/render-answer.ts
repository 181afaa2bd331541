import type { Answer, Hit } from "@svc/contract";
import { paint } from "./print.ts";
import { renderTable } from "./render-table.ts";
import { safeLine } from "./safe-text.ts";

/** For reading: each hit with a line of its own and what was found below it. */
export function renderAnswer({ count, results, truncated }: Answer): string {
  const rankWidth = String(results.length).length;
  const hits = results.map((hit, n) => renderHit(hit, String(n + 1).padStart(rankWidth)));
  return [hitCount(count), ...hits, ...noteOf(truncated)].join("\n");
}

/** For a glance: one line a hit. */
export function renderAnswerTable({ count, results, truncated }: Answer, width?: number): string {
  const rows = results.map(({ id, title, metadata }, n) => {
    return [String(n + 1), scoreOf(metadata), id, targetOf(metadata), title ?? ""];
  });
  const table = results.length === 0 ? "" : renderTable(["RANK", "SCORE", "ID", "TARGET", "TITLE"], rows, width);
  return [hitCount(count), table, ...noteOf(truncated)].filter((part) => part !== "").join("\n");
}

function renderHit({ id, title, metadata }: Hit, rank: string): string {
  const { _score, _target, ...others } = metadata;
  const headline = [rank, scoreOf(metadata), safeLine(id)];
  if (title !== null) headline.push(paint("bold", safeLine(title)));
  headline.push(`(${safeLine(targetOf(metadata))})`);
  const indent = " ".repeat(rank.length + 2);
  const lines = Object.entries(others).map(
    ([name, value]) => `${indent}${paint("dim", `${safeLine(name)}:`)} ${safeLine(inWords(value))}`,
  );
  return [headline.join("  "), ...lines].map((line) => `${line}\n`).join("");
}

function hitCount(count: number): string {
  return count === 1 ? "1 hit\n" : `${count} hits\n`;
}

function noteOf(truncated: string | undefined): string[] {
  return truncated === undefined ? [] : [`Shortened: ${safeLine(truncated)}\n`];
}

function scoreOf({ _score }: Hit["metadata"]): string {
  return typeof _score === "number" ? _score.toFixed(4) : "-";
}

function targetOf({ _target }: Hit["metadata"]): string {
  return typeof _target === "string" ? _target : "-";
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return "-";
  return typeof value === "string" ? value : JSON.stringify(value);
}

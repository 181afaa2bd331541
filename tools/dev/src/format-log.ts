import { styleText } from "node:util";

const COLOURS = ["cyan", "green", "yellow", "magenta", "blue"] as const;
const LEVELS: Record<string, "gray" | "white" | "yellow" | "red"> = {
  debug: "gray",
  info: "white",
  warn: "yellow",
  error: "red",
  fatal: "red",
};
const NOT_SHOWN = new Set(["level", "time", "service", "msg", "trace_id", "span_id", "request_id", "err"]);

/** A JSON log line as a person reads it: who, what, and the few fields that matter. */
export function formatLine(name: string, index: number, line: string): string {
  const label = styleText(COLOURS[index % COLOURS.length] ?? "cyan", name.padEnd(13));
  const entry = parse(line);
  if (!entry) return `${label} ${line}`;
  const fields = Object.entries(entry)
    .filter(([key]) => !NOT_SHOWN.has(key))
    .map(([key, value]) =>
      styleText("gray", `${key}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`),
    );
  const error = entry["err"] as { message?: string } | undefined;
  const message = styleText(LEVELS[String(entry["level"])] ?? "white", String(entry["msg"] ?? ""));
  return [label, message, ...(error?.message ? [styleText("red", error.message)] : []), ...fields].join(" ");
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

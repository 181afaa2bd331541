import { createLogger, type Logger } from "../telemetry/index.ts";

type LogLine = Record<string, unknown> & { level: string; msg?: string; err?: { message?: string } };

/** A real logger whose lines a test can read. */
export function recordingLogger(): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
  return { log: createLogger({ service: "test", level: "debug", destination }), lines };
}

import type { Failure } from "./explain-failure.ts";
import type { OutputFormat } from "./options.ts";
import { toJson } from "./output/print-document.ts";
import { paint, printNote } from "./output/print.ts";
import { safeLine } from "./output/safe-text.ts";

/** `hint` is said to people alone. */
export function printFailure({ problem, retryAfterSeconds }: Failure, format?: OutputFormat, hint?: string): void {
  if (format === "json") {
    const retry = retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds };
    process.stderr.write(toJson({ ...problem, ...retry }));
    return;
  }
  printNote(`${paint("red", "error:", process.stderr)} ${safeLine(problem.detail)}`);
  for (const { path, message } of problem.problems ?? []) {
    printNote(`  ${safeLine(path === "" ? message : `${path}: ${message}`)}`);
  }
  if (retryAfterSeconds !== undefined) printNote(`Try again in ${inWords(retryAfterSeconds)}.`);
  if (hint !== undefined) printNote(hint);
}

function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}

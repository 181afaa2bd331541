import type { Failure } from "./explain-failure.ts";
import type { OutputFormat } from "./options.ts";
import { toJson } from "./output/print-document.ts";
import { paint, printNote } from "./output/print.ts";
import { safeLine } from "./output/safe-text.ts";

/** `hint` is said to people alone. */
export function printFailure({ problem, retryAfterSeconds }: Failure, format?: OutputFormat, hint?: string): void {
  if (format === "json") {
    const retry = retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds };
    process.stderr.write(withoutKeys(toJson({ ...problem, ...retry })));
    return;
  }
  printNote(`${paint("red", "error:", process.stderr)} ${toLine(problem.detail)}`);
  for (const { path, message } of problem.problems ?? []) {
    printNote(`  ${toLine(path === "" ? message : `${path}: ${message}`)}`);
  }
  if (retryAfterSeconds !== undefined) printNote(`Try again in ${inWords(retryAfterSeconds)}.`);
  if (hint !== undefined) printNote(hint);
}

const toLine = (text: string): string => withoutKeys(safeLine(text));

/** A key that was typed in the wrong place, or that a service says back, must not end up in a log. */
function withoutKeys(text: string): string {
  return text.replaceAll(/svc_[0-9A-Za-z]{30,}/g, "svc_…");
}

function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}

import { CommanderError } from "commander";
import { CliError } from "./cli-error.ts";
import { formatOf, type GlobalOptions, type OutputFormat } from "./options.ts";
import { createProgram } from "./program.ts";

const INTERRUPTED = 130;
const USAGE = 5;

async function main(words: string[]): Promise<void> {
  process.once("SIGINT", () => process.exit(INTERRUPTED));
  // Commander's own command looks one level deep.
  const argv = words[0] === "help" ? [...words.slice(1), "--help"] : words;
  const program = createProgram(argv);
  program.on("option:no-color", () => (process.env["NO_COLOR"] = "1"));
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    const format = formatOf({ json: argv.includes("--json"), ...program.opts<GlobalOptions>() });
    process.exitCode = error instanceof CommanderError ? await failByUse(error, format) : await fail(error, format);
  }
}

/** Nothing outside this file knows commander's errors, so that it is part of no module that is loaded later. */
async function failByUse({ code, exitCode, message }: CommanderError, format?: OutputFormat): Promise<number> {
  // Help or the version was asked for, and is printed.
  if (exitCode === 0) return 0;
  // So is the help of a command that needs another one after it.
  if (code === "commander.help") return USAGE;
  const error = new CliError("INVALID_REQUEST", message.replace(/^error: /, ""));
  return fail(error, format, "Help: svc --help, or any command with --help");
}

async function fail(error: unknown, format?: OutputFormat, hint?: string): Promise<number> {
  const { explainFailure } = await import("./explain-failure.ts");
  const { printFailure } = await import("./print-failure.ts");
  const failure = await explainFailure(error);
  const isRefused = failure.isFromService && failure.problem.code === "UNAUTHENTICATED";
  printFailure(
    failure,
    format,
    isRefused ? "Create a key in Settings, API tokens, and log in with it: svc login" : hint,
  );
  return failure.exit;
}

void main(process.argv.slice(2));

import { CommanderError } from "commander";
import { formatOf, type GlobalOptions } from "./options.ts";
import { createProgram } from "./program.ts";

const INTERRUPTED = 130;
const USAGE = 5;

async function main(argv: string[]): Promise<void> {
  process.once("SIGINT", () => process.exit(INTERRUPTED));
  const program = createProgram(argv);
  program.on("option:no-color", () => (process.env["NO_COLOR"] = "1"));
  try {
    await program.parseAsync(argv);
  } catch (error) {
    // Help and version were asked for and are printed, or help was printed because no command was given.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    if (error instanceof CommanderError && error.code === "commander.help") process.exitCode = USAGE;
    else await fail(error, formatOf({ json: argv.includes("--json"), ...program.opts<GlobalOptions>() }));
  }
}

async function fail(error: unknown, format: ReturnType<typeof formatOf>): Promise<void> {
  const { explainFailure } = await import("./explain-failure.ts");
  const { printFailure } = await import("./print-failure.ts");
  const failure = await explainFailure(error);
  printFailure(
    failure,
    format,
    error instanceof CommanderError ? "Help: svc --help, or any command with --help" : undefined,
  );
  process.exitCode = failure.exit;
}

void main(process.argv);

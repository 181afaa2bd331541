import { CliError } from "./cli-error.ts";

/** Asks a person. A program, which cannot be asked, says --yes. */
export async function confirm(question: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CliError("INVALID_REQUEST", "This needs --yes where nobody can be asked.");
  }
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once("SIGINT", () => process.exit(130));
  const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError("INTERNAL", "Nothing was done.");
}

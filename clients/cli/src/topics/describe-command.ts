import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { GlobalOptions } from "../options.ts";

/** Answers an exit code where that is not 0. */
type Act<O> = (options: O, ...operands: string[]) => Promise<number | void> | void;

/** What a command does is loaded once it is asked for, so that none pays for the others when the program starts. */
export function act<O extends GlobalOptions>(load: () => Promise<Act<O>>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.pop() as Command;
    const operands = command.processedArgs as string[];
    const exit = await (await load())(command.optsWithGlobals<O>(), ...operands);
    if (exit !== undefined) process.exitCode = exit;
  };
}

/**
 * Makes those commands that are named among `words`: to make all of them takes 3 ms. Where none is named, all of them are
 * meant, as in help.
 */
export function addNamed(
  parent: Command,
  words: readonly string[],
  commands: Record<string, (parent: Command, words: readonly string[]) => void>,
): void {
  const named = Object.keys(commands).filter((name) => words.includes(name));
  const isAboutAll = named.length === 0 || words.includes("help") || words.includes("completion");
  for (const name of isAboutAll ? Object.keys(commands) : named) commands[name]?.(parent, words);
}

/** Shown at the end of a command's help. */
export function example(...lines: string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  $ ${line}\n`).join("")}`;
}

/** Of a source or a database. What it may be called is the service's to say; this keeps out what no name can be. */
export function readName(text: string): string {
  if (/^[A-Za-z0-9_-]{1,200}$/.test(text)) return text;
  throw new CliError("INVALID_REQUEST", `"${text}" is not a name: letters, digits, _ and - can be in one.`);
}

export function readNumber(least: number, most: number, what: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new CliError("INVALID_REQUEST", `${what} is a whole number from ${least} to ${most}, not "${text}".`);
  };
}

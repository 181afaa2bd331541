import { safeLine } from "./safe-text.ts";

let isWatched = false;

/** Data, and nothing else, goes to standard output. */
export function printData(text: string): void {
  if (!isWatched) {
    isWatched = true;
    // The reader may have seen enough, as `head` has.
    process.stdout.on("error", () => process.exit());
  }
  process.stdout.write(text);
}

/** What a person should know and a program should not have to skip. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function printWarning(line: string): void {
  printNote(`${paint("yellow", "warning:", process.stderr)} ${safeLine(line)}`);
}

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };
export type Style = keyof typeof STYLES;

export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return hasColor(stream) ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
}

/** See no-color.org. The option --no-color sets the variable. */
function hasColor(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY && (NO_COLOR ?? "") === "" && TERM !== "dumb";
}

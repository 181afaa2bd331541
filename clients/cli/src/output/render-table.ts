import { paint } from "./print.ts";
import { safeLine } from "./safe-text.ts";

const GAP = "  ";

/** Columns as wide as their widest cell. On a terminal the last one is cut at its edge. */
export function renderTable(headings: string[], rows: string[][], columns?: number): string {
  // A terminal that does not know its width says 0.
  const width = columns || Infinity;
  const cells = rows.map((row) => row.map(safeLine));
  const widths = headings.map((heading, n) =>
    Math.max(displayWidth(heading), ...cells.map((row) => displayWidth(row[n] ?? ""))),
  );
  const lineOf = (row: string[]): string => {
    const padded = row.map((cell, n) => cell + " ".repeat((widths[n] ?? 0) - displayWidth(cell)));
    return cutAt(padded.join(GAP).trimEnd(), width);
  };
  return [paint("bold", lineOf(headings)), ...cells.map(lineOf)].map((line) => `${line}\n`).join("");
}

/** Names and values below each other, such as a status. */
export function renderPairs(pairs: [name: string, value: string][]): string {
  const width = Math.max(...pairs.map(([name]) => displayWidth(name)));
  return pairs.map(([name, value]) => `${paint("bold", name.padEnd(width))}${GAP}${safeLine(value)}\n`).join("");
}

/** Columns of a terminal: East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

function widthOf(character: string): number {
  if (character <= "\u02ff") return 1;
  if (/\p{M}|\u200d/u.test(character)) return 0;
  const isWide =
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
      character,
    );
  return isWide ? 2 : 1;
}

function cutAt(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  let kept = "";
  let used = 1;
  for (const character of line) {
    used += widthOf(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

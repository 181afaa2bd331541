type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const INDENT = "  ";
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Words that YAML 1.1 readers take for something else than a string when they stand as a bare key. */
const NOT_A_KEY = /^(y|n|yes|no|on|off|true|false|null)$/i;
/** YAML lets 1024 characters stand before the colon; a longer key gets a line of its own. */
const LONGEST_KEY = 1_000;
/** Not printable in YAML, or a line break to some of its readers; JSON leaves these as they are. */
const ESCAPE_TOO = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * JSON data as block YAML in one fixed shape: every string double-quoted on one line, every key in place.
 * The size of a value is the size of its parts, which lets an answer be cut to a limit without rendering it
 * over and over, and no value can be taken for another type by a reader of an older YAML.
 */
export function toYaml(value: Json): string {
  if (!isFilled(value)) return `${scalar(value)}\n`;
  const lines: string[] = [];
  writeBlock(value, "", lines);
  return `${lines.join("\n")}\n`;
}

function writeBlock(value: Json[] | { [key: string]: Json }, indent: string, lines: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) writeItem(item, indent, lines);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    let name = PLAIN_KEY.test(key) && !NOT_A_KEY.test(key) ? key : quoted(key);
    if (name.length > LONGEST_KEY) {
      lines.push(`${indent}? ${name}`);
      name = "";
    }
    if (!isFilled(item)) lines.push(`${indent}${name}: ${scalar(item)}`);
    else {
      lines.push(`${indent}${name}:`);
      writeBlock(item, indent + INDENT, lines);
    }
  }
}

/** The first line of a nested block stands on the line of its dash. */
function writeItem(item: Json, indent: string, lines: string[]): void {
  if (!isFilled(item)) {
    lines.push(`${indent}- ${scalar(item)}`);
    return;
  }
  const first = lines.length;
  writeBlock(item, indent + INDENT, lines);
  lines[first] = `${indent}- ${(lines[first] ?? "").slice(indent.length + INDENT.length)}`;
}

function isFilled(value: Json): value is Json[] | { [key: string]: Json } {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some((item) => item !== undefined);
}

function scalar(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[]" : "{}";
  if (typeof value !== "number") return String(value);
  // YAML 1.1 takes 1e+21 for a string and 1.0e+21 for a number.
  return Number.isFinite(value) ? String(value).replace(/^(-?\d+)e/, "$1.0e") : "null";
}

function quoted(text: string): string {
  // A double-quoted YAML scalar takes every escape that JSON writes, but no half of a surrogate pair.
  return JSON.stringify(text.toWellFormed()).replace(
    ESCAPE_TOO,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

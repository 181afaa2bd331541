type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const INDENT = "  ";
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Words that YAML 1.1 readers take for something else than a string when they stand as a bare key. */
const NOT_A_KEY = /^(y|n|yes|no|on|off|true|false|null)$/i;
/** YAML lets 1024 characters stand before the colon; a longer key gets a line of its own. */
const LONGEST_KEY = 1_000;
/** Not printable in YAML, or a line break to some of its readers; JSON leaves these as they are. */
const ESCAPE_TOO = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** One escape of JSON; those of six characters are halves of surrogate pairs. */
const JSON_ESCAPE = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * JSON data as block YAML in one fixed shape: every string double-quoted on one line, every key in place.
 * The size of a value is the size of its parts, which lets an answer be cut to a limit without rendering it
 * over and over, and no value can be taken for another type by a reader of an older YAML.
 */
export function toYaml(value: Json, indent = ""): string {
  if (!isFilled(value)) return escapeForYaml(`${indent}${yamlScalar(value)}\n`);
  const lines: string[] = [];
  writeBlock(value, indent, lines);
  return escapeForYaml(`${lines.join("\n")}\n`);
}

function writeBlock(value: Json[] | { [key: string]: Json }, indent: string, lines: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) writeItem(item, indent, lines);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    let name = yamlKey(key);
    if (name.length > LONGEST_KEY) {
      lines.push(`${indent}? ${name}`);
      name = "";
    }
    if (!isFilled(item)) lines.push(`${indent}${name}: ${yamlScalar(item)}`);
    else {
      lines.push(`${indent}${name}:`);
      writeBlock(item, indent + INDENT, lines);
    }
  }
}

/** The first line of a nested block stands on the line of its dash. */
function writeItem(item: Json, indent: string, lines: string[]): void {
  if (!isFilled(item)) {
    lines.push(`${indent}- ${yamlScalar(item)}`);
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

export function yamlKey(key: string): string {
  return PLAIN_KEY.test(key) && !NOT_A_KEY.test(key) ? key : escapeForYaml(JSON.stringify(key));
}

/** A value on the line of its key. Strings are quoted as JSON does it: the whole needs `escapeForYaml`. */
export function yamlScalar(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[]" : "{}";
  if (typeof value !== "number") return String(value);
  // YAML 1.1 takes 1e+21 for a string and 1.0e+21 for a number.
  if (!Number.isFinite(value)) return "null";
  const text = String(value);
  return text.includes("e") ? text.replace(/^(-?\d+)e/, "$1.0e") : text;
}

/**
 * A double-quoted YAML scalar takes every escape that JSON writes, but must not hold some characters that JSON leaves
 * as they are, and no half of a surrogate pair. One pass over a whole text costs a fraction of one over each string.
 */
export function escapeForYaml(text: string): string {
  const printable = needsEscapes(text) ? text.replace(ESCAPE_TOO, escapeOf) : text;
  if (!printable.includes("\\ud")) return printable;
  return printable.replace(JSON_ESCAPE, (escape) => (escape.length > 2 ? "\ufffd" : escape));
}

/** Of ASCII it is DEL alone; that a text is ASCII shows in a quarter of the time that looking for each character takes. */
function needsEscapes(text: string): boolean {
  return Buffer.byteLength(text) !== text.length || text.includes("\u007f");
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

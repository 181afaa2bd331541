type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const INDENT = "  ";
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Words that YAML 1.1 readers take for something else than a string when they stand as a bare key. */
const NOT_A_KEY = /^(y|n|yes|no|on|off|true|false|null)$/i;
/** YAML lets 1024 characters stand before the colon; a longer key gets a line of its own. */
const LONGEST_KEY = 1_000;
/** Not printable in YAML, or a line break to some of its readers; JSON leaves these as they are. */
const ESCAPE_TOO = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** All but what stands between quotes as it is: what JSON escapes, what YAML wants escaped, and surrogates. */
const NOT_AS_IT_IS = /[^ !#-[\]-~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
/** The part of it that JSON leaves alone. */
const NOT_AS_IN_JSON = /[\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;

/**
 * JSON data as block YAML in one fixed shape: every string double-quoted on one line, every key in place.
 * The size of a value is the size of its parts, which lets an answer be cut to a limit without rendering it
 * over and over, and no value can be taken for another type by a reader of an older YAML.
 */
export function toYaml(value: Json, indent = ""): string {
  if (!isFilled(value)) return `${indent}${yamlScalar(value)}\n`;
  const lines: string[] = [];
  writeBlock(value, indent, lines);
  return `${lines.join("\n")}\n`;
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
  return PLAIN_KEY.test(key) && !NOT_A_KEY.test(key) ? key : yamlText(key);
}

/** A value on the line of its key; of a list or an object, the form it has when it is empty. */
export function yamlScalar(value: Json): string {
  if (typeof value === "string") return yamlText(value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[]" : "{}";
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return "null";
  const text = String(value);
  // YAML 1.1 takes 1e+21 for a string and 1.0e+21 for a number.
  return text.includes("e") ? text.replace(/^(-?\d+)e/, "$1.0e") : text;
}

/** A double-quoted YAML scalar takes every escape that JSON writes, but no half of a surrogate pair. */
export function yamlText(text: string): string {
  // Most texts need no escape, and to see that is quicker than to write them as JSON.
  if (!NOT_AS_IT_IS.test(text)) return `"${text}"`;
  if (!NOT_AS_IN_JSON.test(text)) return JSON.stringify(text);
  return JSON.stringify(text.toWellFormed()).replace(
    ESCAPE_TOO,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

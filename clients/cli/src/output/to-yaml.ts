import { escapeInQuotes, isSafe } from "./safe-text.ts";

/**
 * YAML of plain data. Every text that could be read as anything else stands in double quotes, and there JSON's escapes
 * are YAML's (YAML 1.2, section 7.3.1). A library that can do more would be a third of the program.
 */
export function toYaml(document: unknown): string {
  return isCollection(document) ? blockOf(document, "") : `${scalarOf(document)}\n`;
}

function blockOf(collection: object, indent: string): string {
  if (Array.isArray(collection)) {
    return collection.map((item) => `${indent}-${afterDash(item, indent)}`).join("");
  }
  return Object.entries(collection)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${indent}${scalarOf(key)}:${afterKey(value, indent)}`)
    .join("");
}

function afterKey(value: unknown, indent: string): string {
  return isCollection(value) ? `\n${blockOf(value, `${indent}  `)}` : ` ${scalarOf(value)}\n`;
}

/** The first line of what is in a list stands beside the dash. */
function afterDash(value: unknown, indent: string): string {
  return isCollection(value) ? ` ${blockOf(value, `${indent}  `).trimStart()}` : ` ${scalarOf(value)}\n`;
}

/** An empty one is written as a scalar is, on the line. */
function isCollection(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function scalarOf(value: unknown): string {
  if (typeof value === "string") return isPlain(value) ? value : escapeInQuotes(JSON.stringify(value));
  if (Array.isArray(value)) return "[]";
  return typeof value === "object" && value !== null ? "{}" : String(value);
}

function isPlain(text: string): boolean {
  // A letter first, so that it is no number, date or mark of YAML.
  const isWord = /^[\p{L}_/](?:[\p{L}\p{N}\p{M} _./()@+-]*[\p{L}\p{N}\p{M}_./()@+-])?$/u.test(text);
  // Truth values and nothing, in YAML 1.1 or 1.2.
  return isWord && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text) && isSafe(text);
}

import type { Hit } from "@svc/contract";
import { toYaml, yamlKey, yamlScalar, yamlText } from "@svc/platform/http";

export type AnswerFormat = "yaml" | "json";
type Json = Parameters<typeof toYaml>[0];

/** Beyond, YAML wants the key on a line of its own, which `toYaml` knows how to write. */
const LONGEST_KEY = 1_000;
const METADATA_INDENT = "      ";

/** The body of an answer. Its shape is fixed, so YAML is written in one pass and costs about what JSON does. */
export function writeAnswer(hits: Hit[], format: AnswerFormat, truncated?: string): string {
  if (format === "json") return JSON.stringify({ count: hits.length, results: hits, truncated });
  let text = `count: ${hits.length}\nresults:${hits.length === 0 ? " []" : ""}`;
  const keys = new Map<string, string>();
  for (const hit of hits) text += yamlHit(hit, keys);
  if (truncated !== undefined) text += `\ntruncated: ${yamlText(truncated)}`;
  return `${text}\n`;
}

/** One hit as it stands in the answer. */
export function writeHit(hit: Hit, format: AnswerFormat): string {
  return format === "json" ? JSON.stringify(hit) : yamlHit(hit, new Map());
}

/** One value of the metadata as it stands in the answer, key included. */
export function writeField(key: string, value: unknown, format: AnswerFormat): string {
  if (format === "json") return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  return yamlField(key, value, new Map());
}

/** A text in its quotes. */
export function writeText(text: string, format: AnswerFormat): string {
  return format === "json" ? JSON.stringify(text) : yamlText(text);
}

function yamlHit({ id, title, metadata }: Hit, keys: Map<string, string>): string {
  let text = `\n  - id: ${yamlText(id)}\n    title: ${yamlScalar(title)}\n    metadata:`;
  let isEmpty = true;
  // Quicker than a list of the keys, and the object has none but its own.
  for (const key in metadata) {
    const field = yamlField(key, metadata[key], keys);
    if (field !== "") isEmpty = false;
    text += field;
  }
  return isEmpty ? `${text} {}` : text;
}

/** Keys are the same in every hit of a table, so each is looked at once. */
function yamlField(key: string, value: unknown, keys: Map<string, string>): string {
  if (typeof value === "object" && value !== null) return yamlNested(key, value);
  if (value === undefined) return "";
  let start = keys.get(key);
  if (start === undefined) {
    const name = yamlKey(key);
    if (name.length > LONGEST_KEY) return yamlNested(key, value);
    start = `\n${METADATA_INDENT}${name}: `;
    keys.set(key, start);
  }
  return start + yamlScalar(value as Json);
}

function yamlNested(key: string, value: unknown): string {
  // By way of JSON, so that a date or the like is what it would be there.
  const plain = JSON.parse(JSON.stringify(value)) as Json;
  return `\n${toYaml({ [key]: plain }, METADATA_INDENT).trimEnd()}`;
}

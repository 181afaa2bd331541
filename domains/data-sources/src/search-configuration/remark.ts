import type { Finding } from "@svc/contract";

/** Something to say about a configuration: a problem, or what works and could work better. */
export interface Remark {
  code: Finding["code"];
  /** Place of the entry that it is about; null for the source as a whole. */
  entry: number | null;
  path: string;
  message: string;
}

export function entryPath(entry: number, field: string): string {
  return `connection_config.embedding_configs.${entry}.${field}`;
}

/** A problem of one entry, at one of its fields. */
export function entryProblem(entry: number, field: string, message: string): Remark {
  return { code: "configuration", entry, path: entryPath(entry, field), message: cut(message) };
}

export function filterPath(column: string): string {
  return `filter_schema.${column}`.slice(0, 500);
}

/** The contract's longest message. */
export function cut(message: string): string {
  return message.length > 1_000 ? `${message.slice(0, 999)}…` : message;
}

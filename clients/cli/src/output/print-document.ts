import { printData } from "./print.ts";
import { escapeInQuotes } from "./safe-text.ts";
import { toYaml } from "./to-yaml.ts";

/** For programs: the whole document, as the service gave it. */
export function printDocument(format: "json" | "yaml", document: unknown): void {
  printData(format === "json" ? toJson(document) : toYaml(document));
}

export function toJson(document: unknown): string {
  return escapeInQuotes(`${JSON.stringify(document, null, 2)}\n`);
}

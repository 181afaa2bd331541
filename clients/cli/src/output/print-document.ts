import { printData } from "./print.ts";
import { escapeInQuotes, isSafe } from "./safe-text.ts";

/** For programs: the whole document, as the service gave it. */
export async function printDocument(format: "json" | "yaml", document: unknown): Promise<void> {
  printData(format === "json" ? toJson(document) : await toYaml(document));
}

export function toJson(document: unknown): string {
  return escapeInQuotes(`${JSON.stringify(document, null, 2)}\n`);
}

export async function toYaml(document: unknown): Promise<string> {
  // A CommonJS module: what it exports is its default, to Node.js and to the bundle.
  const { Document, visit } = (await import("yaml")).default;
  const yaml = new Document(document, { aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar: (_key, scalar) => {
      // Only double quotes can hold an escape.
      if (typeof scalar.value === "string" && !isSafe(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return escapeInQuotes(yaml.toString({ lineWidth: 0 }));
}

/** Names as they were written, or what is wrong with the way they were written. */
export type ParsedNames = { names: string[] } | { problem: string };

/** `name` or `schema.name`, as they stand in the catalog: no case is folded. */
export function parseTableName(text: string): { schema: string | undefined; name: string } | { problem: string } {
  const parsed = splitNames(text, ".");
  if ("problem" in parsed) return parsed;
  const [first = "", second, ...rest] = parsed.names;
  if (rest.length > 0) {
    return { problem: `has ${parsed.names.length} parts: write name or schema.name, with "quotes" around a dot` };
  }
  return second === undefined ? { schema: undefined, name: first } : { schema: first, name: second };
}

export function parseColumnNames(text: string): ParsedNames {
  return splitNames(text, ",");
}

/** A name in a form that the functions above read as that name. */
export function writeName(name: string): string {
  return /^[^\s".,\p{Cc}]+$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function writeTableName({ schema, name }: { schema: string; name: string }): string {
  return schema === "public" ? writeName(name) : `${writeName(schema)}.${writeName(name)}`;
}

/** Something a caller wrote, in a message: it may be long, and it may be anything. */
export function quoteForMessage(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

const QUOTED = /\s*"((?:[^"]|"")*)"\s*/y;

/** A name with the separator or a quote in it can be written as in SQL: in double quotes, with "" for a quote. */
function splitNames(text: string, separator: "." | ","): ParsedNames {
  const bare = separator === "." ? /[^".]*/y : /[^",]*/y;
  const names: string[] = [];
  for (let at = 0; ; at += 1) {
    QUOTED.lastIndex = bare.lastIndex = at;
    const quoted = QUOTED.exec(text);
    const name = quoted ? (quoted[1] ?? "").replaceAll('""', '"') : (bare.exec(text)?.[0] ?? "").trim();
    at = quoted ? QUOTED.lastIndex : bare.lastIndex;
    if (at < text.length && text[at] !== separator) {
      return { problem: 'has a double quote out of place: write a name with a quote in it as "a ""quoted"" name"' };
    }
    if (name === "") return { problem: `has an empty name: put one name between each two "${separator}"` };
    names.push(name);
    if (at >= text.length) return { names };
  }
}

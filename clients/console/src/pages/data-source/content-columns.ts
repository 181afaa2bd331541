/** A name in double quotes, in which two of them are one; or anything up to the next comma. */
const NAME = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/gy;

/** The columns of an answer, in order. */
export function readContentColumns(text: string): string[] {
  const names = [...text.matchAll(NAME)].map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain.trim());
  return names.filter((name) => name !== "");
}

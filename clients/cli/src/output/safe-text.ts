// Answers hold what others wrote into a database. Shown as it is, it could move the cursor, set the title of a
// terminal or turn the order of letters around.

/** What JSON leaves as it is. Written as an escape it stays the same text. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One line for a person, in which every character can be seen. */
export function safeLine(text: string): string {
  // Written here and not above: to read a class of Unicode takes a millisecond, which no start should wait for.
  return text
    .replaceAll(/[\t\r\n]+/g, " ")
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, escaped);
}

/** For text in which a backslash escapes, such as JSON and double quotes of YAML. */
export function escapeInQuotes(text: string): string {
  return text.replaceAll(UNSAFE_IN_JSON, escaped);
}

export function isSafe(text: string): boolean {
  return text.search(UNSAFE_IN_JSON) === -1;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

// Answers hold what others wrote into a database. Shown as it is, it could move the cursor, set the title of a
// terminal or turn the order of letters around.

// eslint-disable-next-line no-control-regex -- control characters are what this is about
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** What JSON leaves as it is of them. Written as an escape it stays the same text. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One line for a person, in which every character can be seen. */
export function safeLine(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, " ").replaceAll(UNSAFE, escaped);
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

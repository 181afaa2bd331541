import { type AnswerFormat, writeText } from "./write-answer.ts";

const ELLIPSIS = "…";
const ELLIPSIS_BYTES = Buffer.byteLength(ELLIPSIS);
/** Characters on either side of a cut that are looked at to see whether they belong together. */
const WINDOW = 64;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Bytes that a text takes in the answer, its quotes left out. */
export function textBytes(text: string, format: AnswerFormat): number {
  return Buffer.byteLength(writeText(text, format)) - 2;
}

/** As much of the start of a text as fits, with an ellipsis, which it gets in any case. */
export function cutText(text: string, maxBytes: number, format: AnswerFormat): string {
  const room = maxBytes - ELLIPSIS_BYTES;
  let fits = 0;
  // No character takes less than a byte, and most take one: the first guess is often right.
  let most = Math.max(0, Math.min(text.length, room));
  let guess = most;
  while (fits < most) {
    if (textBytes(text.slice(0, guess), format) <= room) fits = guess;
    else most = guess - 1;
    guess = Math.ceil((fits + most) / 2);
  }
  return text.slice(0, boundaryBefore(text, fits)) + ELLIPSIS;
}

/** Where no character is torn in two: not a flag or an accented letter either, as far as can be seen. */
function boundaryBefore(text: string, index: number): number {
  if (index === 0 || index >= text.length) return index;
  const start = Math.max(0, index - WINDOW);
  const around = text.slice(start, index + WINDOW);
  const boundary = graphemes.segment(around).containing(index - start)?.index ?? 0;
  if (boundary > 0) return start + boundary;
  return isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1)) ? index - 1 : index;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff;
}

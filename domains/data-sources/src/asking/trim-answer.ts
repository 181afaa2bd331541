import { type Hit, MAX_ANSWER_BYTES } from "@svc/contract";
import { cutText } from "./cut-text.ts";
import { type Field, hitBytes, measureFields, type Place } from "./measure-hit.ts";
import { startOfJson } from "./start-of-json.ts";
import { type AnswerFormat, writeAnswer } from "./write-answer.ts";

export interface TrimmedAnswer {
  body: string;
  /** Hits in the body. */
  count: number;
  truncated?: string;
}

/** For what stands around the hits, the longest note included. */
const ENVELOPE_BYTES = 250;
const ROOM = MAX_ANSWER_BYTES - ENVELOPE_BYTES;
/** A value is not cut below this many bytes as long as there are hits to leave out instead. */
const LEAST_BYTES = 100;
/** Nor below this as long as there are columns to leave out. */
const LEAST_BYTES_OF_LAST_HIT = 20;

const METADATA: readonly Place[] = ["metadata"];
/** An identifier that was cut leads nowhere, so it comes last. */
const LAST_RESORTS: readonly (readonly Place[])[] = [
  ["metadata", "title"],
  ["metadata", "title", "id"],
];

const listFormat = new Intl.ListFormat("en");

/** What is known of the answer while it is made shorter. */
interface Cut {
  hits: Field[][];
  places: readonly Place[];
  columnsLeftOut: number;
}

/**
 * The body of an answer, at most 16,384 bytes of its format. The longest values are cut first, all to the same length;
 * where that would leave too little of them, the last hits are left out. A nested value that has to be cut becomes the
 * start of its JSON, as a text.
 */
export function trimAnswer(hits: Hit[], format: AnswerFormat): TrimmedAnswer {
  if (!isSurelyTooLong(hits)) {
    const body = writeAnswer(hits, format);
    if (fits(body)) return { body, count: hits.length };
  }
  const cut = chooseHits(hits, format);
  const level = levelOf(cut, format);
  let shortened = 0;
  const isCut = ({ place, bytes }: Field): boolean => bytes > level && cut.places.includes(place);
  const kept = cut.hits.map((fields) => {
    shortened += fields.filter(isCut).length;
    return toHit(fields, (field) => (isCut(field) ? cutText(field.text ?? "", level, format) : field.value));
  });
  const truncated = describe(shortened, cut.columnsLeftOut, hits.length - kept.length, hits.length);
  return { body: writeAnswer(kept, format, truncated), count: kept.length, truncated };
}

/** No character takes more than three bytes, so short bodies need not be counted. */
function fits(body: string): boolean {
  return body.length * 3 <= MAX_ANSWER_BYTES || Buffer.byteLength(body) <= MAX_ANSWER_BYTES;
}

/** Tells without writing them that hits of many megabytes do not fit. */
function isSurelyTooLong(hits: Hit[]): boolean {
  let left = MAX_ANSWER_BYTES;
  for (const { id, title, metadata } of hits) {
    left -= id.length + (title?.length ?? 0);
    for (const key in metadata) {
      const value = metadata[key];
      if (typeof value === "string") left -= value.length;
      else if (typeof value === "object" && value !== null && !startOfJson(value, left).isWhole) return true;
    }
    if (left < 0) return true;
  }
  return false;
}

/** As many of the first hits as fit when their values are cut as far as is sensible; or what fits of the first. */
function chooseHits(hits: Hit[], format: AnswerFormat): Cut {
  const chosen: Field[][] = [];
  let left = ROOM;
  for (const hit of hits) {
    const fields = measureFields(hit, format);
    left -= leastBytes(fields, METADATA, LEAST_BYTES, format);
    if (left < 0)
      return chosen.length > 0 ? { hits: chosen, places: METADATA, columnsLeftOut: 0 } : squeeze(fields, format);
    chosen.push(fields);
  }
  return { hits: chosen, places: METADATA, columnsLeftOut: 0 };
}

/** A single hit that is too long although its values are short: its title is cut too, its id, its columns left out. */
function squeeze(fields: Field[], format: AnswerFormat): Cut {
  for (const places of LAST_RESORTS) {
    if (leastBytes(fields, places, LEAST_BYTES_OF_LAST_HIT, format) <= ROOM) {
      return { hits: [fields], places, columnsLeftOut: 0 };
    }
  }
  const places = LAST_RESORTS.at(-1) ?? METADATA;
  const always = fields.filter((field) => !isColumn(field));
  let left = ROOM - leastBytes(always, places, LEAST_BYTES_OF_LAST_HIT, format);
  const kept = fields.filter((field) => {
    if (!isColumn(field)) return true;
    left -= field.fixedBytes + Math.min(field.bytes, LEAST_BYTES_OF_LAST_HIT);
    return left >= 0;
  });
  return { hits: [kept], places, columnsLeftOut: fields.length - kept.length };
}

function isColumn({ place, isKept }: Field): boolean {
  return place === "metadata" && !isKept;
}

function leastBytes(fields: Field[], places: readonly Place[], least: number, format: AnswerFormat): number {
  return fields.reduce(
    (sum, { place, fixedBytes, bytes }) => sum + fixedBytes + (places.includes(place) ? Math.min(bytes, least) : bytes),
    hitBytes(format),
  );
}

/** The length to which values are cut, so that all of them together fit: like water that levels out. */
function levelOf({ hits, places }: Cut, format: AnswerFormat): number {
  let left = ROOM;
  const lengths: number[] = [];
  for (const fields of hits) {
    left -= hitBytes(format);
    for (const { place, fixedBytes, bytes } of fields) {
      left -= fixedBytes;
      if (places.includes(place)) lengths.push(bytes);
      else left -= bytes;
    }
  }
  lengths.sort((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return MAX_ANSWER_BYTES;
}

function toHit(fields: Field[], valueOf: (field: Field) => unknown): Hit {
  const [id, title, ...metadata] = fields.map((field) => [field.key, valueOf(field)] as const);
  return {
    id: id?.[1] as string,
    title: title?.[1] as string | null,
    metadata: Object.fromEntries(metadata),
  };
}

function describe(values: number, columns: number, hits: number, ofHits: number): string {
  const parts = [
    values > 0 && (values === 1 ? "1 value was shortened" : `${values} values were shortened`),
    columns > 0 && (columns === 1 ? "the last column was left out" : `the last ${columns} columns were left out`),
    hits > 0 && `the last ${hits} of ${ofHits} hits ${hits === 1 ? "was" : "were"} left out`,
  ].filter((part) => part !== false);
  const list = listFormat.format(parts);
  return `${list.charAt(0).toUpperCase()}${list.slice(1)} to fit ${MAX_ANSWER_BYTES} bytes.`;
}

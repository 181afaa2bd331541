import { type Hit, MAX_ANSWER_BYTES } from "@svc/contract";
import { textBytes } from "./cut-text.ts";
import { startOfJson } from "./start-of-json.ts";
import { type AnswerFormat, writeField, writeHit } from "./write-answer.ts";

export type Place = "id" | "title" | "metadata";

/** One value of a hit and what it takes of the answer. */
export interface Field {
  place: Place;
  key: string;
  value: unknown;
  /** What a shorter version is made of; undefined for numbers and the like, and for what is never cut. */
  text: string | undefined;
  /** That are there however short the value is. */
  fixedBytes: number;
  /** That cutting can save. */
  bytes: number;
  /** Part of every hit, whatever happens. */
  isKept: boolean;
}

const MORE_THAN_FITS = MAX_ANSWER_BYTES + 1;
const NEVER_CUT = new Set(["_score", "_target"]);

/** Of a hit without its values. A title that is null is part of it. */
export function hitBytes(format: AnswerFormat): number {
  return Buffer.byteLength(writeHit({ id: "", title: null, metadata: {} }, format)) + ",".length;
}

/** The fields of a hit, first its id, then its title, then its metadata in order. */
export function measureFields({ id, title, metadata }: Hit, format: AnswerFormat): Field[] {
  return [
    measureText("id", id, format),
    measureText("title", title, format),
    ...Object.entries(metadata)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => measureMetadata(key, value, format)),
  ];
}

function measureText(place: "id" | "title", text: string | null, format: AnswerFormat): Field {
  return {
    place,
    key: place,
    value: text,
    text: text ?? undefined,
    fixedBytes: 0,
    bytes: text === null ? 0 : bytesUpToLimit(text, format),
    isKept: true,
  };
}

function measureMetadata(key: string, value: unknown, format: AnswerFormat): Field {
  const field = { place: "metadata" as const, key, value, isKept: NEVER_CUT.has(key) };
  const fixedBytes = fieldBytes(key, "", format);
  if (!field.isKept && typeof value === "string") {
    return { ...field, text: value, fixedBytes, bytes: bytesUpToLimit(value, format) };
  }
  if (!field.isKept && typeof value === "object" && value !== null) {
    const { text, isWhole } = startOfJson(value, MAX_ANSWER_BYTES);
    const bytes = isWhole ? Math.max(0, fieldBytes(key, value, format) - fixedBytes) : MORE_THAN_FITS;
    return { ...field, text, fixedBytes, bytes };
  }
  return { ...field, text: undefined, fixedBytes: fieldBytes(key, value, format), bytes: 0 };
}

function fieldBytes(key: string, value: unknown, format: AnswerFormat): number {
  return Buffer.byteLength(writeField(key, value, format)) + ",".length;
}

function bytesUpToLimit(text: string, format: AnswerFormat): number {
  return text.length > MAX_ANSWER_BYTES ? MORE_THAN_FITS : textBytes(text, format);
}

import type { Answer } from "@svc/contract";
import type { AnswerFormat } from "./question-draft.ts";

export interface ReadAnswer {
  format: AnswerFormat;
  /** Byte for byte as it came. */
  body: string;
  bytes: number;
  durationMs: number;
  count: number | undefined;
  /** What was cut, in the words of the service. */
  truncated: string | undefined;
  /** Only of JSON, which can be read without a reader for YAML. */
  hits: Answer["results"] | undefined;
}

export function readAnswer(format: AnswerFormat, body: string, durationMs: number): ReadAnswer {
  const bytes = new TextEncoder().encode(body).byteLength;
  return { format, body, bytes, durationMs, ...(format === "json" ? readJson(body) : readYaml(body)) };
}

type Contents = Pick<ReadAnswer, "count" | "truncated" | "hits">;

function readJson(body: string): Contents {
  const { count, truncated, results } = JSON.parse(body) as Answer;
  return { count, truncated, hits: results };
}

/** Both are lines of their own at the outermost level, and texts are written as in JSON. */
function readYaml(body: string): Contents {
  const count = /^count: (\d+)$/m.exec(body)?.[1];
  const truncated = /^truncated: (".*")$/m.exec(body)?.[1];
  return {
    count: count === undefined ? undefined : Number(count),
    truncated: truncated === undefined ? undefined : String(JSON.parse(truncated)),
    hits: undefined,
  };
}

import { z } from "zod";
import { ERROR_CODES } from "./errors.ts";
import { idSchema } from "./ids.ts";
import { pageQuerySchema } from "./paging.ts";
import { CALLER_KINDS } from "./tokens.ts";

export const ACTIVITY_TYPES = ["functions", "data_sources"] as const;
/** By which door a question came in. */
export const ACTIVITY_SOURCES = ["mcp", "cli", "api"] as const;
export type ActivitySource = (typeof ACTIVITY_SOURCES)[number];

/** A question that was asked. Neither its words nor what was found are kept, only sizes and keyed digests. */
export const activitySchema = z.object({
  id: idSchema("act"),
  type: z.enum(ACTIVITY_TYPES),
  source_id: z.string().max(50),
  source: z.enum(ACTIVITY_SOURCES),
  /** Who asked; nobody for a workload or for support staff. */
  user: z.object({ id: idSchema("usr"), email: z.string().max(320) }).nullable(),
  caller_kind: z.enum(CALLER_KINDS),
  client_id: z.string().max(2_000).nullable(),
  at: z.iso.datetime(),
  duration_ms: z.number(),
  question_bytes: z.int(),
  answer_bytes: z.int(),
  hits: z.int(),
  question_digest: z.string().max(64),
  answer_digest: z.string().max(64).nullable(),
  outcome: z.enum(["ok", ...ERROR_CODES]),
});
export type Activity = z.infer<typeof activitySchema>;

const activityFilters = {
  type: z.enum(ACTIVITY_TYPES).default("functions"),
  source: z.enum(ACTIVITY_SOURCES).optional(),
  source_id: z.string().max(50).optional(),
  user_id: idSchema("usr").optional(),
  from: z.iso.datetime({ offset: true }).max(40).optional(),
  to: z.iso.datetime({ offset: true }).max(40).optional(),
};

export const listActivityQuerySchema = pageQuerySchema.extend(activityFilters);

/** Without `from`, the 24 hours before `to`; without `to`, up to now. */
export const activityHistogramQuerySchema = z.strictObject(activityFilters);

/** How long a bucket of a histogram can be; which of them, the service chooses by the range. */
export const ACTIVITY_BUCKET_SECONDS = [60, 300, 900, 3_600, 10_800, 86_400] as const;
export const MAX_ACTIVITY_BUCKETS = 200;

/** What was asked, counted. Buckets in which nothing was asked are there too. */
export const activityHistogramSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  bucket_seconds: z.int(),
  buckets: z
    .array(
      z.object({
        /** When it begins. */
        at: z.iso.datetime(),
        ok: z.int(),
        failed: z.int(),
      }),
    )
    .max(MAX_ACTIVITY_BUCKETS),
});
export type ActivityHistogram = z.infer<typeof activityHistogramSchema>;

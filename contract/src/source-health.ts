import { z } from "zod";
import { FINDING_LEVELS } from "./plain/bounds.ts";

/** Something that was looked at, how it is, and what to do about it. */
const findingSchema = z.object({
  level: z.enum(FINDING_LEVELS),
  code: z.enum([
    "configuration",
    "extension_version",
    "vector_index",
    "empty_vectors",
    "filter_index",
    "statistics",
    "reader_access",
  ]),
  /** Label of the entry that it is about; null for the source as a whole. */
  target: z.string().max(100).nullable(),
  message: z.string().max(1_000),
});
export type Finding = z.infer<typeof findingSchema>;

export const sourceHealthSchema = z.object({
  source_id: z.string().max(50),
  status: z.enum(FINDING_LEVELS),
  checked_at: z.iso.datetime(),
  pgvector_version: z.string().max(50).nullable(),
  findings: z.array(findingSchema).max(500),
});
export type SourceHealth = z.infer<typeof sourceHealthSchema>;

/** Sends the content of sampled rows to the embedding provider, which the caller must want in so many words. */
export const probeModelRequestSchema = z.strictObject({
  send_rows_to_embedding_provider: z.literal(true),
  target: z.string().min(1).max(100).optional(),
});

export const modelProbeSchema = z.object({
  source_id: z.string().max(50),
  entries: z
    .array(
      z.object({
        target: z.string().max(100),
        model: z.string().max(200),
        /** Rows that were embedded anew, and how many of them were found among the ten nearest to themselves. */
        sampled: z.int(),
        found: z.int(),
        verdict: z.enum(["fits", "does_not_fit", "unclear"]),
        message: z.string().max(1_000),
      }),
    )
    .max(20),
});
export type ModelProbe = z.infer<typeof modelProbeSchema>;

import { z } from "zod";
import { DEFAULT_HITS, MAX_ANSWER_BYTES, MAX_HITS } from "./plain/bounds.ts";

const scalar = z.union([z.string().max(1_000), z.number(), z.boolean()]);

export const questionSchema = z.strictObject({
  query: z
    .string()
    .max(8_000)
    .refine((text) => text.trim() !== "", "must say what you look for"),
  /** Exact match. An array means either value; different columns must all match. */
  filters: z
    .record(z.string().min(1).max(300), z.union([scalar, z.array(scalar).min(1).max(100)]))
    .refine((filters) => Object.keys(filters).length <= 50, "names more than 50 columns")
    .default({}),
  top_k: z.int().min(1).max(MAX_HITS).default(DEFAULT_HITS),
  /** Label of one entry of the search configuration; left out, all are searched. */
  target: z.string().min(1).max(100).optional(),
});
export type Question = z.infer<typeof questionSchema>;
export type FilterValue = z.infer<typeof scalar>;

export const hitSchema = z.object({
  id: z.string().max(MAX_ANSWER_BYTES),
  title: z.string().max(MAX_ANSWER_BYTES).nullable(),
  /** The other content columns, with `_score` (higher is better) and `_target` (label of the entry). */
  metadata: z.record(z.string().max(300), z.unknown()),
});
export type Hit = z.infer<typeof hitSchema>;

export const answerSchema = z.object({
  count: z.int(),
  results: z.array(hitSchema).max(MAX_HITS),
  /** Says what was cut, where the answer was shortened. */
  truncated: z.string().max(300).optional(),
});
export type Answer = z.infer<typeof answerSchema>;

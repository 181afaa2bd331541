import { z } from "zod";

/** A line that people read, such as a name: no control characters, which no page shows and no database keeps. */
export function lineSchema(shortest: number, longest: number): z.ZodString {
  return z
    .string()
    .trim()
    .min(shortest)
    .max(longest)
    .regex(/^[^\p{Cc}]*$/u, "must be one line without control characters");
}

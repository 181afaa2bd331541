import { z } from "zod";

export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
});

export function pageOf<T extends z.ZodType>(
  item: T,
): z.ZodObject<{
  items: z.ZodArray<T>;
  next_cursor: z.ZodNullable<z.ZodString>;
}> {
  return z.object({
    items: z.array(item).max(100),
    next_cursor: z.string().max(200).nullable(),
  });
}

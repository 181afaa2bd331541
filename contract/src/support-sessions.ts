import { z } from "zod";
import { emailSchema } from "./orgs.ts";
import { lineSchema } from "./text.ts";
import { idSchema } from "./ids.ts";

export const supportSessionSchema = z.object({
  id: idSchema("sup"),
  org_id: idSchema("org"),
  staff: z.string().max(320),
  reason: z.string().max(500),
  access: z.enum(["read", "write"]),
  started_at: z.iso.datetime(),
  elevated_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime(),
});
export type SupportSession = z.infer<typeof supportSessionSchema>;

export const startSupportSessionRequestSchema = z.strictObject({
  /** Why, in words that the organization's owners will read. */
  reason: lineSchema(5, 500),
  /** Who of the vendor's staff; an operator who gives none is called "support". */
  staff: emailSchema.optional(),
});
/** The token is shown once and works until the session ends. */
export const startSupportSessionResponseSchema = z.object({
  support_session: supportSessionSchema,
  token: z.string().max(100),
});

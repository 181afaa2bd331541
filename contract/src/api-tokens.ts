import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";

export const apiTokenSchema = z.object({
  id: idSchema("tok"),
  name: z.string().max(200),
  /** The first characters, by which a person tells tokens apart. */
  prefix: z.string().max(20),
  user: z.object({ id: idSchema("usr"), email: z.string().max(320) }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;

export const createApiTokenRequestSchema = z.strictObject({
  name: lineSchema(1, 200),
  expires_at: z.iso.datetime({ offset: true }).max(40).optional(),
});
/** The only answer that ever holds the token itself. */
export const createApiTokenResponseSchema = z.object({ api_token: apiTokenSchema, token: z.string().max(100) });

/** `mine`: the caller's own. `org`: everyone's in the organization, for owner and admin. */
export const listApiTokensQuerySchema = z.strictObject({
  scope: z.enum(["mine", "org"]).default("mine"),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
});

import { z } from "zod";
import { idSchema } from "./ids.ts";

/** An agent that a person has let act for them in one organization. */
export const grantSchema = z.object({
  id: idSchema("grt"),
  client: z.object({
    id: z.string().max(2_000),
    /** What the agent calls itself. Nobody has checked it. */
    name: z.string().max(200),
    /** Where the person was sent back to after allowing it. */
    redirect_host: z.string().max(300),
  }),
  user: z.object({ id: idSchema("usr"), email: z.string().max(320) }),
  scopes: z.array(z.string().max(100)).max(50),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  /** It ends then by itself, unless the agent renews its access before. */
  expires_at: z.iso.datetime(),
});
export type Grant = z.infer<typeof grantSchema>;

/** `mine`: the caller's own. `org`: everyone's in the organization, for owner and admin. */
export const listGrantsQuerySchema = z.strictObject({
  scope: z.enum(["mine", "org"]).default("mine"),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
});

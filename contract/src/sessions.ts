import { z } from "zod";
import { idSchema } from "./ids.ts";
import { roleSchema } from "./roles.ts";

const sessionOrgSchema = z.object({
  id: idSchema("org"),
  slug: z.string().max(100),
  name: z.string().max(200),
  role: roleSchema,
});
export type SessionOrg = z.infer<typeof sessionOrgSchema>;

/** Who is signed in in this browser. */
export const sessionSchema = z.object({
  user: z.object({ id: idSchema("usr"), email: z.string().max(320), name: z.string().max(200).nullable() }),
  /** The organization that is worked in; null for a person who is in none yet. */
  org: sessionOrgSchema.nullable(),
  /** Those that can be switched to, the one joined last first. */
  orgs: z.array(sessionOrgSchema).max(100),
});
export type Session = z.infer<typeof sessionSchema>;

/** The same with a token for that organization. It lives for minutes and is renewed by asking again. */
export const sessionTokenSchema = z.object({
  token: z.string().max(2_000),
  expires_at: z.iso.datetime(),
  ...sessionSchema.shape,
});
export type SessionToken = z.infer<typeof sessionTokenSchema>;

/** `org` is an id or a slug; without it, the organization joined last. */
export const sessionTokenRequestSchema = z.strictObject({ org: z.string().min(1).max(100).optional() });

export const exchangeCodeRequestSchema = z.strictObject({ code: z.string().min(1).max(100) });

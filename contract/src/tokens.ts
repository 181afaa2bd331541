import { z } from "zod";
import { idSchema } from "./ids.ts";
import { roleSchema } from "./roles.ts";

export const CALLER_KINDS = ["user", "api_token", "workload", "actor", "support"] as const;

export const validateTokenRequestSchema = z.strictObject({
  token: z.string().min(1).max(8_192),
});

const callerFields = {
  kind: z.enum(CALLER_KINDS),
  user: z
    .object({
      id: idSchema("usr"),
      email: z.string().max(320),
      name: z.string().max(200).nullable(),
    })
    .optional(),
  org: z.object({
    id: idSchema("org"),
    slug: z.string().max(100),
    name: z.string().max(200),
  }),
  role: roleSchema,
  scopes: z.array(z.string().max(100)).max(50).optional(),
  /** Who of the vendor's staff, in a support session. */
  support: z.object({ session_id: idSchema("sup"), staff: z.string().max(320) }).optional(),
  app: z.string().max(100).optional(),
  client_id: z.string().max(2_000).optional(),
  grant_id: idSchema("grt").optional(),
  expires_at: z.iso.datetime().nullable(),
};

/** Who makes a request, as the auth service vouches for it. */
export const callerSchema = z.object(callerFields);
export type Caller = z.infer<typeof callerSchema>;

export const validateTokenResponseSchema = z.discriminatedUnion("valid", [
  z.object({
    valid: z.literal(true),
    ...callerFields,
    /** How long the asker may rely on this answer without asking again. */
    cache_seconds: z.number().min(0).max(60),
  }),
  z.object({ valid: z.literal(false), reason: z.string().max(200) }),
]);
export type TokenValidation = z.infer<typeof validateTokenResponseSchema>;

/** Valkey/Redis channel on which the auth service tells every cache to forget what it knows. */
export const REVOCATION_CHANNEL = "svc:revocations";

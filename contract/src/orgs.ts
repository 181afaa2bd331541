import { z } from "zod";
import { idSchema } from "./ids.ts";
import { roleSchema } from "./roles.ts";
import { lineSchema } from "./text.ts";

export const emailSchema = z.email("must be an e-mail address").max(320);
const displayNameSchema = lineSchema(1, 200);
/** Lower case, at least two labels, no wildcard. */
const domainSchema = z
  .string()
  .max(253)
  .regex(
    /^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    "must be a domain such as example.com, in lower case",
  );
const domainsSchema = z.array(domainSchema).max(50);

export const orgSchema = z.object({
  id: idSchema("org"),
  name: z.string().max(200),
  slug: z.string().max(100),
  domains: domainsSchema,
  created_at: z.iso.datetime(),
});
export type Org = z.infer<typeof orgSchema>;

export const createOrgRequestSchema = z.strictObject({ name: displayNameSchema });
export const createOrgResponseSchema = z.object({ org: orgSchema });

export const createOrgAsOperatorRequestSchema = z.strictObject({
  name: displayNameSchema,
  domains: domainsSchema.optional(),
  admin_email: emailSchema.optional(),
  admin_name: displayNameSchema.optional(),
});
export const createOrgAsOperatorResponseSchema = z.object({
  org: orgSchema,
  owner: z
    .object({
      user_id: idSchema("usr"),
      /** Exactly one is true: the person was new, or known by that address. */
      created: z.boolean(),
      added: z.boolean(),
    })
    .optional(),
});

export const updateOrgRequestSchema = z.strictObject({
  name: displayNameSchema.optional(),
  domains: domainsSchema.optional(),
});

export const memberSchema = z.object({
  id: idSchema("mem"),
  user: z.object({ id: idSchema("usr"), email: z.string().max(320), name: z.string().max(200).nullable() }),
  role: roleSchema,
  created_at: z.iso.datetime(),
});
export type Member = z.infer<typeof memberSchema>;
export const changeMemberRequestSchema = z.strictObject({ role: roleSchema });

export const invitationSchema = z.object({
  id: idSchema("inv"),
  email: z.string().max(320),
  role: roleSchema,
  invited_by: idSchema("usr").nullable(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitationSchema>;
export const inviteRequestSchema = z.strictObject({ email: emailSchema, role: roleSchema });

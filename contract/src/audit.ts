import { z } from "zod";
import { idSchema } from "./ids.ts";

/** Every change that is kept: to members, tokens, secrets and sessions of an organization. */
export const AUDIT_ACTIONS = [
  "org.created",
  "org.updated",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "invitation.created",
  "invitation.revoked",
  "invitation.accepted",
  "api_token.created",
  "api_token.revoked",
  "grant.created",
  "grant.revoked",
  "session.started",
  "session.ended",
  "session.ended_everywhere",
  "support_access.started",
  "support_access.elevated",
  "support_access.ended",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const auditEntrySchema = z.object({
  id: idSchema("aud"),
  action: z.enum(AUDIT_ACTIONS),
  /** Who: a person, the operator of the service, its support staff, or the service by a rule. */
  actor: z.object({
    kind: z.enum(["user", "operator", "support", "system"]),
    id: z.string().max(100).nullable(),
    name: z.string().max(320),
  }),
  /** What was changed. */
  target: z.object({ kind: z.string().max(40), id: z.string().max(100), name: z.string().max(320) }),
  details: z.record(z.string().max(40), z.string().max(500)).refine((details) => Object.keys(details).length <= 20),
  /** From where. */
  address: z.string().max(60).nullable(),
  user_agent: z.string().max(300).nullable(),
  at: z.iso.datetime(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

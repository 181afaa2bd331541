import { z } from "zod";
import { idSchema } from "./ids.ts";
import { pageQuerySchema } from "./paging.ts";

/** Every change that the auth service keeps: to members, tokens, agents and sessions of an organization. */
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

/** Every change to a database and to what can be asked of it; and what gives its contents or its password away. */
export const SOURCE_AUDIT_ACTIONS = [
  "source.exposed",
  "source.hidden",
  "source.configured",
  "source.model_checked",
  "database.created",
  "database.described",
  "database.switched_on",
  "database.switched_off",
  "database.connection_shown",
  "database.passwords_changed",
  "database.sample_loaded",
  "database.deleted",
  "database.restored",
  "database.removed",
] as const;
export type SourceAuditAction = (typeof SOURCE_AUDIT_ACTIONS)[number];

const entryFields = {
  id: idSchema("aud"),
  /** Who: a person, a workload, the operator of the service, its support staff, or the service by a rule. */
  actor: z.object({
    kind: z.enum(["user", "workload", "operator", "support", "system"]),
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
};

export const auditEntrySchema = z.object({ ...entryFields, action: z.enum(AUDIT_ACTIONS) });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const sourceAuditEntrySchema = z.object({ ...entryFields, action: z.enum(SOURCE_AUDIT_ACTIONS) });
export type SourceAuditEntry = z.infer<typeof sourceAuditEntrySchema>;

export const listSourceAuditQuerySchema = pageQuerySchema.extend({
  action: z.enum(SOURCE_AUDIT_ACTIONS).optional(),
  /** `db_` and the name of its database. */
  source_id: z.string().max(50).optional(),
});

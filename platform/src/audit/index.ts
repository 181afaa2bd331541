import type { AuditEntry, Id } from "@svc/contract";
import { idFromUuid, newId, timeOf, uuidOf } from "../ids/index.ts";

/** Who does something, as an audit trail names them. */
export type AuditActor = AuditEntry["actor"];

/** From where a request came. */
export interface Origin {
  address: string | null;
  userAgent: string | null;
}

export const BY_RULE: AuditActor = { kind: "system", id: null, name: "svc" };

export interface AuditRecord<Action extends string> {
  orgId: Id<"org">;
  action: Action;
  actor: AuditActor;
  target: AuditEntry["target"];
  details?: Record<string, string>;
  origin: Origin;
}

/** A row of the table `audit` that each domain with a trail has. */
export interface AuditRow {
  org_id: string;
  id: string;
  action: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string;
  target_kind: string;
  target_id: string;
  target_name: string;
  address: string | null;
  user_agent: string | null;
}

/** What the wire allows of each. */
const LONGEST_DETAIL = 500;
const LONGEST_USER_AGENT = 300;

export function toAuditRow<A extends string>(record: AuditRecord<A>): AuditRow & { details: string } {
  const details = Object.entries(record.details ?? {}).map(([name, value]) => [name, value.slice(0, LONGEST_DETAIL)]);
  return {
    org_id: uuidOf(record.orgId),
    id: uuidOf(newId("aud")),
    action: record.action,
    actor_kind: record.actor.kind,
    actor_id: record.actor.id,
    actor_name: record.actor.name,
    target_kind: record.target.kind,
    target_id: record.target.id,
    target_name: record.target.name,
    details: JSON.stringify(Object.fromEntries(details)),
    address: record.origin.address,
    user_agent: record.origin.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
  };
}

/** All but the action, of which each trail has its own. When it happened is in the id. */
export function toAuditEntry(row: AuditRow & { details: unknown }): Omit<AuditEntry, "action"> {
  const id = idFromUuid("aud", row.id);
  return {
    id,
    actor: { kind: row.actor_kind as AuditActor["kind"], id: row.actor_id, name: row.actor_name },
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
    details: row.details as Record<string, string>,
    address: row.address,
    user_agent: row.user_agent,
    at: timeOf(id).toISOString(),
  };
}

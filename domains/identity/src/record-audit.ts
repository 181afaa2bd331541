import type { AuditAction, Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import type { Actor, Origin } from "./context.ts";
import type { DB } from "./db-types.ts";
import { insertAudit } from "./queries/audit.ts";

export interface AuditRecord {
  orgId: Id<"org">;
  action: AuditAction;
  actor: Actor;
  target: { kind: string; id: string; name: string };
  details?: Record<string, string>;
  origin: Origin;
}

/** In the transaction of the change, so that there is no change without its trace. */
export async function recordAudit(tx: Db<DB>, record: AuditRecord): Promise<void> {
  await insertAudit(tx, {
    org_id: uuidOf(record.orgId),
    id: uuidOf(newId("aud")),
    action: record.action,
    actor_kind: record.actor.kind,
    actor_id: record.actor.id,
    actor_name: record.actor.name,
    target_kind: record.target.kind,
    target_id: record.target.id,
    target_name: record.target.name,
    details: JSON.stringify(record.details ?? {}),
    address: record.origin.address,
    user_agent: record.origin.userAgent?.slice(0, 300) ?? null,
  });
}

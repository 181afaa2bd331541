import type { AuditAction, AuditEntry, Id } from "@svc/contract";
import { idFromUuid, timeOf } from "@svc/platform/ids";
import type { IdentityContext } from "./context.ts";
import { listAuditRows } from "./queries/audit.ts";

interface AuditPage {
  limit: number;
  before?: Id<"aud"> | undefined;
  action?: AuditAction | undefined;
}

/** Newest first. When it happened is in the id of the entry. */
export async function listAudit({ db }: IdentityContext, orgId: Id<"org">, page: AuditPage): Promise<AuditEntry[]> {
  const rows = await listAuditRows(db, orgId, page);
  return rows.map((row) => {
    const id = idFromUuid("aud", row.id);
    return {
      id,
      action: row.action as AuditAction,
      actor: { kind: row.actor_kind as AuditEntry["actor"]["kind"], id: row.actor_id, name: row.actor_name },
      target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
      details: row.details as Record<string, string>,
      address: row.address,
      user_agent: row.user_agent,
      at: timeOf(id).toISOString(),
    };
  });
}

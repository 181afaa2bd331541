import type { AuditAction, AuditEntry, Id } from "@svc/contract";
import { toAuditEntry } from "@svc/platform/audit";
import type { IdentityContext } from "./context.ts";
import { listAuditRows } from "./queries/audit.ts";

interface AuditPage {
  limit: number;
  before?: Id<"aud"> | undefined;
  action?: AuditAction | undefined;
}

/** Newest first. */
export async function listAudit({ db }: IdentityContext, orgId: Id<"org">, page: AuditPage): Promise<AuditEntry[]> {
  const rows = await listAuditRows(db, orgId, page);
  return rows.map((row) => ({ ...toAuditEntry(row), action: row.action as AuditAction }));
}

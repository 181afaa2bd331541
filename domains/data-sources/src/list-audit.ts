import type { Id, SourceAuditAction, SourceAuditEntry } from "@svc/contract";
import { toAuditEntry } from "@svc/platform/audit";
import type { Db } from "@svc/platform/db";
import type { DB } from "./db-types.ts";
import { type AuditPage, listAuditRows } from "./queries/audit.ts";

/** Newest first. */
export async function listAudit(db: Db<DB>, orgId: Id<"org">, page: AuditPage): Promise<SourceAuditEntry[]> {
  const rows = await listAuditRows(db, orgId, page);
  return rows.map((row) => ({ ...toAuditEntry(row), action: row.action as SourceAuditAction }));
}

import type { AuditAction } from "@svc/contract";
import { type AuditRecord, toAuditRow } from "@svc/platform/audit";
import type { Db } from "@svc/platform/db";
import type { DB } from "./db-types.ts";
import { insertAudit } from "./queries/audit.ts";

/** In the transaction of the change, so that there is no change without its trace. */
export async function recordAudit(tx: Db<DB>, record: AuditRecord<AuditAction>): Promise<void> {
  await insertAudit(tx, toAuditRow(record));
}

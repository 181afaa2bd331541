import type { SourceAuditAction } from "@svc/contract";
import { toAuditRow } from "@svc/platform/audit";
import type { Db } from "@svc/platform/db";
import type { Author } from "./context.ts";
import { sourceIdOf } from "./data-source.ts";
import type { DB } from "./db-types.ts";
import { insertAudit } from "./queries/audit.ts";

/**
 * In the transaction of the change, so that there is no change without its trace. The target is named as outside:
 * a database and the source that stands on it have one id.
 */
export async function recordAudit(
  tx: Db<DB>,
  author: Author,
  action: SourceAuditAction,
  database: string,
  details: Record<string, string> = {},
): Promise<void> {
  const [kind = "database"] = action.split(".");
  const target = { kind, id: sourceIdOf({ database_name: database }), name: database };
  await insertAudit(tx, toAuditRow({ ...author, action, target, details }));
}

import type { AuditAction, Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import type { Insertable, Selectable } from "kysely";
import type { DB, IdentityAudit } from "../db-types.ts";

interface AuditPage {
  limit: number;
  /** Only what is older than this entry. */
  before?: Id<"aud"> | undefined;
  action?: AuditAction | undefined;
}

export async function insertAudit(tx: Db<DB>, entry: Insertable<IdentityAudit>): Promise<void> {
  await tx.insertInto("identity.audit").values(entry).execute();
}

/** Newest first. */
export async function listAuditRows(
  db: Db<DB>,
  orgId: Id<"org">,
  page: AuditPage,
): Promise<Selectable<IdentityAudit>[]> {
  let query = db
    .selectFrom("identity.audit")
    .selectAll()
    .where("org_id", "=", uuidOf(orgId))
    .orderBy("id", "desc")
    .limit(page.limit);
  if (page.before) query = query.where("id", "<", uuidOf(page.before));
  if (page.action) query = query.where("action", "=", page.action);
  return query.execute();
}

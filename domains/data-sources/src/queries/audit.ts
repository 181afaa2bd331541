import type { Id, SourceAuditAction } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import type { Insertable, Selectable } from "kysely";
import type { DataSourcesAudit, DB } from "../db-types.ts";

export interface AuditPage {
  limit: number;
  /** Only what is older than this entry. */
  before?: Id<"aud"> | undefined;
  action?: SourceAuditAction | undefined;
  sourceId?: string | undefined;
}

export async function insertAudit(tx: Db<DB>, entry: Insertable<DataSourcesAudit>): Promise<void> {
  await tx.insertInto("data_sources.audit").values(entry).execute();
}

/** Newest first. */
export async function listAuditRows(
  db: Db<DB>,
  orgId: Id<"org">,
  { limit, before, action, sourceId }: AuditPage,
): Promise<Selectable<DataSourcesAudit>[]> {
  let query = db.selectFrom("data_sources.audit").selectAll().where("org_id", "=", uuidOf(orgId));
  if (before) query = query.where("id", "<", uuidOf(before));
  if (action) query = query.where("action", "=", action);
  if (sourceId) query = query.where("target_id", "=", sourceId);
  return query.orderBy("id", "desc").limit(limit).execute();
}

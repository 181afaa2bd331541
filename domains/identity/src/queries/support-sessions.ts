import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { type Insertable, type Selectable, sql } from "kysely";
import type { DB, IdentitySupportSessions } from "../db-types.ts";

export type SupportSessionRow = Selectable<IdentitySupportSessions>;

export async function insertSupportSession(
  tx: Db<DB>,
  session: Insertable<IdentitySupportSessions>,
): Promise<SupportSessionRow> {
  return tx.insertInto("identity.support_sessions").values(session).returningAll().executeTakeFirstOrThrow();
}

/** Undefined where there is no such session, or it is over. */
export async function updateLiveSupportSession(
  tx: Db<DB>,
  orgId: Id<"org">,
  id: Id<"sup">,
  change: "elevate" | "end",
): Promise<SupportSessionRow | undefined> {
  const now = sql<Date>`now()`;
  return tx
    .updateTable("identity.support_sessions")
    .set(change === "elevate" ? { access: "write", elevated_at: now } : { ended_at: now })
    .where("org_id", "=", uuidOf(orgId))
    .where("id", "=", uuidOf(id))
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}

export interface SupportHolder {
  id: string;
  staff: string;
  org_id: string;
  org_name: string;
  slug: string;
  access: string;
  expires_at: Date;
}

export async function findSupportHolder(db: Db<DB>, digest: Buffer): Promise<SupportHolder | undefined> {
  return db
    .selectFrom("identity.support_sessions as support")
    .innerJoin("identity.orgs as org", "org.id", "support.org_id")
    .select([
      "support.id",
      "support.staff",
      "support.org_id",
      "org.name as org_name",
      "org.slug",
      "support.access",
      "support.expires_at",
    ])
    .where("support.digest", "=", digest)
    .where("support.ended_at", "is", null)
    .where("support.expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { type Insertable, type Selectable, sql } from "kysely";
import type { DB, IdentityInvitations } from "../db-types.ts";

export type InvitationRow = Selectable<IdentityInvitations>;

/** A second invitation for an address takes the place of the first. */
export async function replaceInvitation(
  tx: Db<DB>,
  invitation: Insertable<IdentityInvitations>,
): Promise<InvitationRow> {
  await tx
    .deleteFrom("identity.invitations")
    .where("org_id", "=", invitation.org_id)
    .where(sql`lower(email)`, "=", sql`lower(${invitation.email})`)
    .execute();
  return tx.insertInto("identity.invitations").values(invitation).returningAll().executeTakeFirstOrThrow();
}

export async function listInvitationRows(
  db: Db<DB>,
  orgId: Id<"org">,
  limit: number,
  after?: Id<"inv">,
): Promise<InvitationRow[]> {
  let query = db
    .selectFrom("identity.invitations")
    .selectAll()
    .where("org_id", "=", uuidOf(orgId))
    .where("expires_at", ">", sql<Date>`now()`)
    .orderBy("id")
    .limit(limit);
  if (after) query = query.where("id", ">", uuidOf(after));
  return query.execute();
}

export async function deleteInvitation(
  tx: Db<DB>,
  orgId: Id<"org">,
  id: Id<"inv">,
): Promise<InvitationRow | undefined> {
  return tx
    .deleteFrom("identity.invitations")
    .where("org_id", "=", uuidOf(orgId))
    .where("id", "=", uuidOf(id))
    .returningAll()
    .executeTakeFirst();
}

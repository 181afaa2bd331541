import type { Id, Role } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";

export interface MemberRow {
  id: string;
  user_id: string;
  email: string;
  name: string | null;
  role: string;
  created_at: Date;
}

export async function insertMember(tx: Db<DB>, orgId: Id<"org">, userId: Id<"usr">, role: Role): Promise<Id<"mem">> {
  const id = newId("mem");
  await tx
    .insertInto("identity.memberships")
    .values({ id: uuidOf(id), org_id: uuidOf(orgId), user_id: uuidOf(userId), role })
    .execute();
  return id;
}

function members(db: Db<DB>, orgId: Id<"org">) {
  return db
    .selectFrom("identity.memberships as membership")
    .innerJoin("identity.users as person", "person.id", "membership.user_id")
    .select([
      "membership.id",
      "membership.user_id",
      "person.email",
      "person.name",
      "membership.role",
      "membership.created_at",
    ])
    .where("membership.org_id", "=", uuidOf(orgId));
}

export async function findMember(db: Db<DB>, orgId: Id<"org">, id: Id<"mem">): Promise<MemberRow | undefined> {
  return members(db, orgId).where("membership.id", "=", uuidOf(id)).executeTakeFirst();
}

export async function findMemberByEmail(db: Db<DB>, orgId: Id<"org">, email: string): Promise<MemberRow | undefined> {
  return members(db, orgId)
    .where(sql`lower(person.email)`, "=", sql`lower(${email})`)
    .executeTakeFirst();
}

/** Oldest first; `after` is the last one of the page before. */
export async function listMemberRows(
  db: Db<DB>,
  orgId: Id<"org">,
  limit: number,
  after?: Id<"mem">,
): Promise<MemberRow[]> {
  let query = members(db, orgId).orderBy("membership.id").limit(limit);
  if (after) query = query.where("membership.id", ">", uuidOf(after));
  return query.execute();
}

export async function updateMemberRole(tx: Db<DB>, orgId: Id<"org">, id: Id<"mem">, role: Role): Promise<void> {
  await tx
    .updateTable("identity.memberships")
    .set({ role })
    .where("org_id", "=", uuidOf(orgId))
    .where("id", "=", uuidOf(id))
    .execute();
}

/** The member's API tokens of the organization go with it. */
export async function deleteMember(tx: Db<DB>, orgId: Id<"org">, id: Id<"mem">): Promise<void> {
  await tx
    .deleteFrom("identity.memberships")
    .where("org_id", "=", uuidOf(orgId))
    .where("id", "=", uuidOf(id))
    .execute();
}

export async function countOwners(tx: Db<DB>, orgId: Id<"org">): Promise<number> {
  const { owners } = await tx
    .selectFrom("identity.memberships")
    .select((eb) => eb.fn.countAll<string>().as("owners"))
    .where("org_id", "=", uuidOf(orgId))
    .where("role", "=", "owner")
    .executeTakeFirstOrThrow();
  return Number(owners);
}

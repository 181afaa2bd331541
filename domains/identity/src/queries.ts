import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid } from "@svc/platform/ids";
import { type Insertable, sql } from "kysely";
import type { DB, IdentityApiTokens, IdentityMemberships, IdentityOrgs, IdentityUsers } from "./db-types.ts";

export async function insertOrg(db: Db<DB>, org: Insertable<IdentityOrgs>): Promise<void> {
  await db.insertInto("identity.orgs").values(org).execute();
}

export async function insertMembership(db: Db<DB>, membership: Insertable<IdentityMemberships>): Promise<void> {
  await db.insertInto("identity.memberships").values(membership).execute();
}

export async function insertUserUnlessKnown(db: Db<DB>, user: Insertable<IdentityUsers>): Promise<Id<"usr">> {
  await db
    .insertInto("identity.users")
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await db
    .selectFrom("identity.users")
    .select("id")
    .where(sql`lower(email)`, "=", user.email.toLowerCase())
    .executeTakeFirstOrThrow();
  return idFromUuid("usr", id);
}

export async function insertApiToken(db: Db<DB>, token: Insertable<IdentityApiTokens>): Promise<void> {
  await db.insertInto("identity.api_tokens").values(token).execute();
}

interface FoundApiToken {
  user_id: string;
  email: string;
  user_name: string | null;
  org_id: string;
  org_name: string;
  slug: string;
  role: string;
  expires_at: Date | null;
}

export async function findApiToken(db: Db<DB>, digest: Buffer): Promise<FoundApiToken | undefined> {
  return db
    .selectFrom("identity.api_tokens as token")
    .innerJoin("identity.memberships as membership", (join) =>
      join.onRef("membership.org_id", "=", "token.org_id").onRef("membership.user_id", "=", "token.user_id"),
    )
    .innerJoin("identity.users as person", "person.id", "token.user_id")
    .innerJoin("identity.orgs as org", "org.id", "token.org_id")
    .select([
      "token.user_id",
      "person.email",
      "person.name as user_name",
      "token.org_id",
      "org.name as org_name",
      "org.slug",
      "membership.role",
      "token.expires_at",
    ])
    .where("token.digest", "=", digest)
    .executeTakeFirst();
}

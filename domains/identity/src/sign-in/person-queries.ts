import type { Id, Role } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";
import type { Account } from "./read-account.ts";

export interface KnownPerson {
  userId: Id<"usr">;
  email: string;
  isVouched: boolean;
}

/**
 * Until the end of the transaction nobody else signs in with this account, or with any account of this address. Rows
 * cannot be locked for it: at a first sign-in there are none. Accounts before addresses, so that two never wait for
 * each other.
 */
export async function lockAccount(tx: Db<DB>, { provider, subject, address, isVouched }: Account): Promise<void> {
  const lock = (key: string): Promise<unknown> =>
    sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
  await lock(`sign-in account ${provider} ${subject}`);
  if (isVouched) await lock(`sign-in address ${address.toLowerCase()}`);
}

export async function findPersonOfAccount(
  tx: Db<DB>,
  { provider, subject }: Account,
): Promise<KnownPerson | undefined> {
  const row = await tx
    .selectFrom("identity.sign_in_accounts as account")
    .innerJoin("identity.users as person", "person.id", "account.user_id")
    .select(["person.id", "person.email", "person.email_vouched"])
    .where("account.provider", "=", provider)
    .where("account.subject", "=", subject)
    .executeTakeFirst();
  return row && { userId: idFromUuid("usr", row.id), email: row.email, isVouched: row.email_vouched };
}

/** Who holds a vouched address, and whether they have signed in ever. */
export async function findHolderOfAddress(
  tx: Db<DB>,
  address: string,
): Promise<{ userId: Id<"usr">; hasSignedIn: boolean } | undefined> {
  const row = await tx
    .selectFrom("identity.users as person")
    .select((eb) => [
      "person.id",
      eb
        .exists(
          eb
            .selectFrom("identity.sign_in_accounts as account")
            .select("account.subject")
            .whereRef("account.user_id", "=", "person.id"),
        )
        .as("has_signed_in"),
    ])
    .where(sql`lower(person.email)`, "=", sql<string>`lower(${address})`)
    .where("person.email_vouched", "=", true)
    .executeTakeFirst();
  return row && { userId: idFromUuid("usr", row.id), hasSignedIn: Boolean(row.has_signed_in) };
}

export async function insertAccount(tx: Db<DB>, userId: Id<"usr">, { provider, subject }: Account): Promise<void> {
  await tx
    .insertInto("identity.sign_in_accounts")
    .values({ provider, subject, user_id: uuidOf(userId) })
    .execute();
}

export async function updateName(tx: Db<DB>, userId: Id<"usr">, name: string): Promise<void> {
  await tx.updateTable("identity.users").set({ name }).where("id", "=", uuidOf(userId)).execute();
}

export async function updateVouchedAddress(tx: Db<DB>, userId: Id<"usr">, email: string): Promise<void> {
  await tx.updateTable("identity.users").set({ email, email_vouched: true }).where("id", "=", uuidOf(userId)).execute();
}

export interface TakenInvitation {
  id: Id<"inv">;
  orgId: Id<"org">;
  role: Role;
}

/** Reading and removing are one, so that an invitation is good for one person only. */
export async function takeInvitations(tx: Db<DB>, address: string): Promise<TakenInvitation[]> {
  const rows = await tx
    .deleteFrom("identity.invitations")
    .where(sql`lower(email)`, "=", address.toLowerCase())
    .where("expires_at", ">", sql<Date>`now()`)
    .returning(["id", "org_id", "role"])
    .execute();
  return rows.map((row) => ({
    id: idFromUuid("inv", row.id),
    orgId: idFromUuid("org", row.org_id),
    role: row.role as Role,
  }));
}

export async function findOrgOfDomain(tx: Db<DB>, domain: string): Promise<Id<"org"> | undefined> {
  const row = await tx
    .selectFrom("identity.org_domains")
    .select("org_id")
    .where("domain", "=", domain)
    .executeTakeFirst();
  return row && idFromUuid("org", row.org_id);
}

/** Undefined for who is a member already; their role stays. */
export async function insertMemberUnlessThere(
  tx: Db<DB>,
  orgId: Id<"org">,
  userId: Id<"usr">,
  role: Role,
): Promise<Id<"mem"> | undefined> {
  const id = newId("mem");
  const inserted = await tx
    .insertInto("identity.memberships")
    .values({ id: uuidOf(id), org_id: uuidOf(orgId), user_id: uuidOf(userId), role })
    .onConflict((conflict) => conflict.columns(["org_id", "user_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted && id;
}

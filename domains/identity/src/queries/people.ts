import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";

interface NewPerson {
  address: string;
  isVouched: boolean;
  name: string | null;
}

/** Undefined where the address is vouched and has a holder already. */
export async function insertPerson(
  tx: Db<DB>,
  { address, isVouched, name }: NewPerson,
): Promise<Id<"usr"> | undefined> {
  const userId = newId("usr");
  const inserted = await tx
    .insertInto("identity.users")
    .values({ id: uuidOf(userId), email: address, email_vouched: isVouched, name })
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email)`)
        .where("email_vouched", "=", true)
        .doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return inserted && userId;
}

/** A person known by a vouched address, or a new one whom the operator vouches for. */
export async function findOrInsertPerson(
  tx: Db<DB>,
  email: string,
  name: string | null,
): Promise<{ userId: Id<"usr">; created: boolean }> {
  const created = await insertPerson(tx, { address: email, isVouched: true, name });
  if (created) return { userId: created, created: true };
  const known = await tx
    .selectFrom("identity.users")
    .select("id")
    .where(sql`lower(email)`, "=", sql<string>`lower(${email})`)
    .where("email_vouched", "=", true)
    .executeTakeFirstOrThrow();
  return { userId: idFromUuid("usr", known.id), created: false };
}

export async function findPerson(
  db: Db<DB>,
  id: Id<"usr">,
): Promise<{ email: string; name: string | null } | undefined> {
  return db.selectFrom("identity.users").select(["email", "name"]).where("id", "=", uuidOf(id)).executeTakeFirst();
}

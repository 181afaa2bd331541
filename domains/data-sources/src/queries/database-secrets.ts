import type { Db } from "@svc/platform/db";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";

/** The sealed passwords of a database. */
export interface DatabaseSecrets {
  org_id: string;
  id: string;
  owner_secret: string;
  reader_secret: string;
  next_owner_secret: string | null;
  next_reader_secret: string | null;
}

/** Databases with a password that another key than this one opens. The key's id stands at the front of an envelope. */
export async function listSealedOtherwise(db: Db<DB>, keyId: string, limit: number): Promise<DatabaseSecrets[]> {
  const isOther = (column: string) => sql<boolean>`split_part(${sql.ref(column)}, '.', 2) <> ${keyId}`;
  return db
    .selectFrom("data_sources.databases")
    .select(["org_id", "id", "owner_secret", "reader_secret", "next_owner_secret", "next_reader_secret"])
    .where((eb) => eb.or(["owner_secret", "reader_secret", "next_owner_secret", "next_reader_secret"].map(isOther)))
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** False where they were changed since they were read. */
export async function replaceSecrets(
  db: Db<DB>,
  read: DatabaseSecrets,
  secrets: Partial<DatabaseSecrets>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("data_sources.databases")
    .set(secrets)
    .where("org_id", "=", read.org_id)
    .where("id", "=", read.id)
    .where("owner_secret", "=", read.owner_secret)
    .where("reader_secret", "=", read.reader_secret)
    .where("next_owner_secret", "is not distinct from", read.next_owner_secret)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

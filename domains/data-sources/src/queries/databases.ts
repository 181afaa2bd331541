import { databaseNameSchema, type Id, type ManagedDatabase } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DatabaseAddress } from "../databases/database-provider.ts";
import type { DB } from "../db-types.ts";

/** A managed database, and whether it is switched on as a source. */
export interface DatabaseRow {
  org_id: string;
  name: string;
  id: string;
  description: string | null;
  status: ManagedDatabase["status"];
  /** Null while nobody can reach it: not made yet, or closed. */
  address: DatabaseAddress | null;
  owner_secret: string;
  reader_secret: string;
  next_owner_secret: string | null;
  next_reader_secret: string | null;
  delete_after: Date | null;
  created_at: Date;
  updated_at: Date;
  data_source: boolean;
}

function databases(db: Db<DB>, orgId: Id<"org">) {
  return db
    .selectFrom("data_sources.databases as database")
    .innerJoin("data_sources.sources as source", (join) =>
      join.onRef("source.org_id", "=", "database.org_id").onRef("source.database_name", "=", "database.name"),
    )
    .selectAll("database")
    .select("source.enabled as data_source")
    .where("database.org_id", "=", uuidOf(orgId));
}

export async function findDatabaseRow(db: Db<DB>, orgId: Id<"org">, name: string): Promise<DatabaseRow | undefined> {
  if (!canBeName(name)) return undefined;
  const found = await databases(db, orgId).where("database.name", "=", name).executeTakeFirst();
  return found as DatabaseRow | undefined;
}

/** What cannot be a name may hold what Postgres refuses, such as U+0000; it is just not there. */
function canBeName(name: string): boolean {
  return databaseNameSchema.safeParse(name).success;
}

/** Until the transaction ends, nobody else changes it. */
export async function lockDatabaseRow(
  tx: Db<DB>,
  orgId: Id<"org">,
  by: { name: string } | { id: string },
): Promise<DatabaseRow | undefined> {
  if ("name" in by && !canBeName(by.name)) return undefined;
  const query = databases(tx, orgId).forUpdate("database");
  const found = "id" in by ? query.where("database.id", "=", by.id) : query.where("database.name", "=", by.name);
  return (await found.executeTakeFirst()) as DatabaseRow | undefined;
}

export async function listDatabaseRows(db: Db<DB>, orgId: Id<"org">, limit: number): Promise<DatabaseRow[]> {
  const rows = await databases(db, orgId).orderBy("database.name").limit(limit).execute();
  return rows as unknown as DatabaseRow[];
}

/** Those who add a database to the organization come one after the other, until each transaction ends. */
export async function lockDatabasesOf(tx: Db<DB>, orgId: Id<"org">): Promise<void> {
  const key = `data_sources.databases/${uuidOf(orgId)}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

export async function countDatabases(tx: Db<DB>, orgId: Id<"org">): Promise<{ all: number; deleting: number }> {
  return tx
    .selectFrom("data_sources.databases")
    .select((eb) => [
      sql<number>`count(*)::int`.as("all"),
      eb.fn.countAll<number>().filterWhere("status", "=", "deleting").$castTo<number>().as("deleting"),
    ])
    .where("org_id", "=", uuidOf(orgId))
    .executeTakeFirstOrThrow();
}

interface NewDatabase {
  orgId: Id<"org">;
  id: string;
  name: string;
  description: string | null;
  ownerSecret: string;
  readerSecret: string;
}

export async function insertDatabase(tx: Db<DB>, database: NewDatabase): Promise<void> {
  await tx
    .insertInto("data_sources.databases")
    .values({
      org_id: uuidOf(database.orgId),
      id: database.id,
      name: database.name,
      description: database.description,
      status: "creating",
      owner_secret: database.ownerSecret,
      reader_secret: database.readerSecret,
    })
    .execute();
}

type Changes = Partial<
  Pick<
    DatabaseRow,
    "description" | "status" | "owner_secret" | "reader_secret" | "next_owner_secret" | "next_reader_secret"
  >
> & { address?: DatabaseAddress | null; delete_after?: null };

export async function updateDatabaseRow(tx: Db<DB>, row: DatabaseRow, changes: Changes): Promise<void> {
  const { address, ...others } = changes;
  await tx
    .updateTable("data_sources.databases")
    .set({
      ...others,
      ...(address !== undefined && { address: address && JSON.stringify(address) }),
      updated_at: sql<Date>`now()`,
    })
    .where("org_id", "=", row.org_id)
    .where("name", "=", row.name)
    .execute();
}

export async function markDeleting(tx: Db<DB>, row: DatabaseRow, graceDays: number): Promise<void> {
  await tx
    .updateTable("data_sources.databases")
    .set({
      status: "deleting",
      delete_after: sql<Date>`now() + make_interval(days => ${graceDays})`,
      updated_at: sql<Date>`now()`,
    })
    .where("org_id", "=", row.org_id)
    .where("name", "=", row.name)
    .execute();
}

/**
 * Whether a deletion can no longer be taken back, by the one clock that counts. To be asked while the row is locked, in
 * a statement after the one that locked it: of two who ask, the later then never gets the earlier answer.
 */
export async function isPastRestoring(tx: Db<DB>, row: DatabaseRow): Promise<boolean> {
  const answer = await tx
    .selectFrom("data_sources.databases")
    .select(sql<boolean>`coalesce(delete_after <= clock_timestamp(), false)`.as("is_past"))
    .where("org_id", "=", row.org_id)
    .where("name", "=", row.name)
    .executeTakeFirst();
  return answer?.is_past ?? false;
}

/** Its source goes with it. */
/** Whether it was there to be removed: of two who do it, one has. */
export async function deleteDatabaseRow(db: Db<DB>, row: DatabaseRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("data_sources.databases")
    .where("org_id", "=", row.org_id)
    .where("id", "=", row.id)
    .where("status", "=", "deleting")
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Databases that are not yet as their rows say, in the order of their ids. */
export async function listUnfinished(
  db: Db<DB>,
  page: { after: string | undefined; limit: number },
): Promise<{ org_id: string; id: string }[]> {
  let query = db
    .selectFrom("data_sources.databases")
    .select(["org_id", "id"])
    // Word for word the condition of the index.
    .where(sql<boolean>`(status <> 'ready' or next_owner_secret is not null)`)
    // Of those being deleted: not closed yet, or to be dropped.
    .where(
      sql<boolean>`(status <> 'deleting' or next_owner_secret is not null or address is not null or delete_after <= now())`,
    )
    .orderBy("id")
    .limit(page.limit);
  if (page.after !== undefined) query = query.where("id", ">", page.after);
  return query.execute();
}

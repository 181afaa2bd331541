import type { Id, Role, SessionOrg } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid, uuidOf } from "@svc/platform/ids";
import { type Insertable, sql } from "kysely";
import type { DB, IdentityExchangeCodes, IdentitySessions } from "../db-types.ts";

export interface SessionRow {
  id: string;
  user_id: string;
  email: string;
  name: string | null;
  email_vouched: boolean;
  last_used_at: Date;
}

export async function insertSession(tx: Db<DB>, session: Insertable<IdentitySessions>): Promise<void> {
  await tx.insertInto("identity.sessions").values(session).execute();
}

export async function findLiveSession(
  db: Db<DB>,
  by: { digest: Buffer } | { id: Id<"ses"> },
): Promise<SessionRow | undefined> {
  const query = db
    .selectFrom("identity.sessions as session")
    .innerJoin("identity.users as person", "person.id", "session.user_id")
    .select([
      "session.id",
      "session.user_id",
      "person.email",
      "person.name",
      "person.email_vouched",
      "session.last_used_at",
    ])
    .where("session.expires_at", ">", sql<Date>`now()`);
  return "digest" in by
    ? query.where("session.digest", "=", by.digest).executeTakeFirst()
    : query.where("session.id", "=", uuidOf(by.id)).executeTakeFirst();
}

export async function slideSession(db: Db<DB>, id: Id<"ses">, expiresAt: Date): Promise<void> {
  await db
    .updateTable("identity.sessions")
    .set({ last_used_at: sql<Date>`now()`, expires_at: expiresAt })
    .where("id", "=", uuidOf(id))
    .execute();
}

/** False where somebody else was faster. Its exchange codes go with it. */
export async function deleteSession(tx: Db<DB>, id: Id<"ses">): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("identity.sessions")
    .where("id", "=", uuidOf(id))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function deleteSessionsOf(tx: Db<DB>, userId: Id<"usr">): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("identity.sessions")
    .where("user_id", "=", uuidOf(userId))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The one joined last first. */
export async function listOrgsOf(
  db: Db<DB>,
  userId: Id<"usr">,
  limit: number,
  only?: { id: Id<"org"> } | { slug: string },
): Promise<SessionOrg[]> {
  let query = db
    .selectFrom("identity.memberships as membership")
    .innerJoin("identity.orgs as org", "org.id", "membership.org_id")
    .select(["org.id", "org.slug", "org.name", "membership.role"])
    .where("membership.user_id", "=", uuidOf(userId))
    .orderBy("membership.created_at", "desc")
    .orderBy("membership.id", "desc")
    .limit(limit);
  if (only && "id" in only) query = query.where("org.id", "=", uuidOf(only.id));
  else if (only) query = query.where("org.slug", "=", only.slug);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, id: idFromUuid("org", row.id), role: row.role as Role }));
}

export async function insertExchangeCode(db: Db<DB>, code: Insertable<IdentityExchangeCodes>): Promise<void> {
  await db.insertInto("identity.exchange_codes").values(code).execute();
}

export interface ExchangeCodeRow {
  session_id: string;
  origin: string;
  is_expired: boolean;
  is_used: boolean;
}

export async function findExchangeCode(db: Db<DB>, digest: Buffer): Promise<ExchangeCodeRow | undefined> {
  return db
    .selectFrom("identity.exchange_codes")
    .select([
      "session_id",
      "origin",
      sql<boolean>`expires_at <= now()`.as("is_expired"),
      sql<boolean>`used_at is not null`.as("is_used"),
    ])
    .where("digest", "=", digest)
    .executeTakeFirst();
}

/** Until the end of the transaction nobody else uses the session's codes or ends it. */
export async function lockSession(tx: Db<DB>, id: Id<"ses">): Promise<void> {
  await tx.selectFrom("identity.sessions").select("id").where("id", "=", uuidOf(id)).forUpdate().execute();
}

export async function markExchangeCodeUsed(tx: Db<DB>, digest: Buffer): Promise<void> {
  await tx
    .updateTable("identity.exchange_codes")
    .set({ used_at: sql<Date>`now()` })
    .where("digest", "=", digest)
    .execute();
}

/** At most `limit` rows of each, so that no statement holds many locks; says whether there may be more. */
export async function deleteExpiredBatch(db: Db<DB>, limit: number): Promise<boolean> {
  const sessions = await sql`
    delete from identity.sessions where id in (
      select id from identity.sessions where expires_at < now() order by expires_at limit ${limit} for update skip locked
    )`.execute(db);
  const codes = await sql`
    delete from identity.exchange_codes where digest in (
      select digest from identity.exchange_codes where expires_at < now() - interval '1 hour'
      order by expires_at limit ${limit} for update skip locked
    )`.execute(db);
  return [sessions, codes].some(({ numAffectedRows }) => numAffectedRows === BigInt(limit));
}

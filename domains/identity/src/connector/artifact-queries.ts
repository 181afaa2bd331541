import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid, uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";

interface NewArtifact {
  digest: Buffer;
  model: string;
  payload: string;
  grantId: Id<"grt"> | undefined;
  expiresAt: Date;
}

export async function saveArtifact(tx: Db<DB>, artifact: NewArtifact): Promise<void> {
  const { digest, model, payload, grantId, expiresAt } = artifact;
  await tx
    .insertInto("identity.connector_artifacts")
    .values({ digest, model, payload, grant_id: grantId ? uuidOf(grantId) : null, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("digest").doUpdateSet({ payload, expires_at: expiresAt }))
    .execute();
}

export interface ArtifactRow {
  payload: string;
  /** Seconds since it was used up, by the database's clock; null where it was not. */
  consumed_for: number | null;
}

export async function findArtifact(db: Db<DB>, digest: Buffer): Promise<ArtifactRow | undefined> {
  return db
    .selectFrom("identity.connector_artifacts")
    .select([
      sql<string>`payload::text`.as("payload"),
      sql<number | null>`extract(epoch from now() - consumed_at)::float8`.as("consumed_for"),
    ])
    .where("digest", "=", digest)
    .executeTakeFirst();
}

/**
 * Takes hold of the grant that something belongs to, until the end of the transaction; undefined where there is none.
 * Who ends a grant takes the grant first and then all that belongs to it: in the other order two would wait for each
 * other.
 */
export async function lockGrantOf(tx: Db<DB>, digest: Buffer): Promise<{ is_revoked: boolean } | undefined> {
  const { rows } = await sql<{ is_revoked: boolean }>`
    select revoked_at is not null as is_revoked from identity.platform_access_grants
    where id = (select grant_id from identity.connector_artifacts where digest = ${digest})
    for no key update`.execute(tx);
  return rows[0];
}

/** The time of the first use stays. */
export async function consumeArtifact(tx: Db<DB>, digest: Buffer): Promise<void> {
  await tx
    .updateTable("identity.connector_artifacts")
    .set({ consumed_at: sql<Date>`coalesce(consumed_at, now())` })
    .where("digest", "=", digest)
    .execute();
}

/** False where somebody else was faster, and has committed. */
export async function consumeArtifactOnce(tx: Db<DB>, digest: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("identity.connector_artifacts")
    .set({ consumed_at: sql<Date>`now()` })
    .where("digest", "=", digest)
    .where("consumed_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function deleteArtifact(tx: Db<DB>, digest: Buffer): Promise<void> {
  await tx.deleteFrom("identity.connector_artifacts").where("digest", "=", digest).execute();
}

export async function deleteArtifactsOfGrant(tx: Db<DB>, grantId: Id<"grt">): Promise<void> {
  await tx.deleteFrom("identity.connector_artifacts").where("grant_id", "=", uuidOf(grantId)).execute();
}

export async function findArtifactSession(db: Db<DB>, digest: Buffer): Promise<Id<"ses"> | undefined> {
  const row = await db
    .selectFrom("identity.connector_artifacts")
    .select("session_id")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row?.session_id ? idFromUuid("ses", row.session_id) : undefined;
}

export async function setArtifactSession(db: Db<DB>, digest: Buffer, sessionId: Id<"ses">): Promise<void> {
  await db
    .updateTable("identity.connector_artifacts")
    .set({ session_id: uuidOf(sessionId) })
    .where("digest", "=", digest)
    .execute();
}

/**
 * At most `limit` rows of each kind, so that no statement holds many locks; says whether there may be more. A grant
 * that is over stays for a while for whoever looks into what happened; a client that was blocked stays blocked.
 */
export async function deleteExpiredAccessBatch(db: Db<DB>, limit: number): Promise<boolean> {
  const artifacts = await sql`
    delete from identity.connector_artifacts where digest in (
      select digest from identity.connector_artifacts where expires_at < now() - interval '1 hour'
      order by expires_at limit ${limit} for update skip locked
    )`.execute(db);
  const grants = await sql`
    delete from identity.platform_access_grants where id in (
      select id from identity.platform_access_grants
      where expires_at < now() - interval '30 days' or revoked_at < now() - interval '30 days'
      limit ${limit} for update skip locked
    )`.execute(db);
  const clients = await sql`
    delete from identity.platform_oauth_clients where client_id in (
      select client_id from identity.platform_oauth_clients
      where kind = 'dynamic' and is_active and expires_at < now() limit ${limit} for update skip locked
    )`.execute(db);
  const documents = await sql`
    delete from identity.client_documents where client_id in (
      select client_id from identity.client_documents where fetched_at < now() - interval '7 days'
      order by fetched_at limit ${limit} for update skip locked
    )`.execute(db);
  return [artifacts, grants, clients, documents].some(({ numAffectedRows }) => numAffectedRows === BigInt(limit));
}

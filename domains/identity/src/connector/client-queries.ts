import type { Db } from "@svc/platform/db";
import { type Insertable, type Selectable, sql } from "kysely";
import type { DB, IdentityClientDocuments, IdentityPlatformOauthClients } from "../db-types.ts";

export type ClientRow = Selectable<IdentityPlatformOauthClients>;

/** Registrations wait for each other here, so that counting and adding are one. */
const REGISTRATION_LOCK = 7_305_001;

export async function findClientRow(db: Db<DB>, clientId: string): Promise<ClientRow | undefined> {
  return db
    .selectFrom("identity.platform_oauth_clients")
    .selectAll()
    .where("client_id", "=", clientId)
    .executeTakeFirst();
}

export async function lockRegistrations(tx: Db<DB>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${REGISTRATION_LOCK})`.execute(tx);
}

/**
 * Agents register twice for one connection and forget what they registered. So only those count that are in use: a
 * person has connected them, or may be about to.
 */
const isInUse = sql<boolean>`(
  client.registered_at > now() - interval '1 hour'
  or exists (
    select from identity.platform_access_grants as granted
    where granted.client_id = client.client_id and granted.revoked_at is null and granted.expires_at > now()
  )
)`;

/** Whether the client itself is in use, and how many others are: in all, and at most for one of the origins. */
export async function countClientsInUse(
  tx: Db<DB>,
  clientId: string,
  origins: string[],
): Promise<{ isCounted: boolean; inAll: number; perOrigin: number }> {
  const { rows } = await sql<{ is_counted: boolean; in_all: number; per_origin: number }>`
    with in_use as (
      select client.client_id, client.origins
      from identity.platform_oauth_clients as client
      where client.kind = 'dynamic' and client.is_active and client.expires_at > now() and ${isInUse}
    )
    select
      exists (select from in_use where client_id = ${clientId}) as is_counted,
      (select count(*)::int from in_use where client_id <> ${clientId}) as in_all,
      coalesce((
        select max(clients)::int from (
          select count(*) as clients
          from in_use cross join unnest(in_use.origins) as origin
          where client_id <> ${clientId} and origin = any(${origins})
          group by origin
        ) as by_origin
      ), 0) as per_origin`.execute(tx);
  const [counts] = rows;
  return {
    isCounted: counts?.is_counted ?? false,
    inAll: counts?.in_all ?? 0,
    perOrigin: counts?.per_origin ?? 0,
  };
}

/** Known already: it lives on from now. */
export async function upsertDynamicClient(tx: Db<DB>, client: Insertable<IdentityPlatformOauthClients>): Promise<Date> {
  const { created_at } = await tx
    .insertInto("identity.platform_oauth_clients")
    .values(client)
    .onConflict((conflict) =>
      conflict.column("client_id").doUpdateSet({
        expires_at: client.expires_at,
        registered_at: sql<Date>`now()`,
      }),
    )
    .returning("created_at")
    .executeTakeFirstOrThrow();
  return created_at;
}

export async function insertClient(db: Db<DB>, client: Insertable<IdentityPlatformOauthClients>): Promise<ClientRow> {
  return db.insertInto("identity.platform_oauth_clients").values(client).returningAll().executeTakeFirstOrThrow();
}

/** Undefined where there is no such row. */
export async function setClientActive(tx: Db<DB>, clientId: string, isActive: boolean): Promise<ClientRow | undefined> {
  return tx
    .updateTable("identity.platform_oauth_clients")
    .set({ is_active: isActive })
    .where("client_id", "=", clientId)
    .returningAll()
    .executeTakeFirst();
}

export type ListedClient = ClientRow & { grants: number };

/** Oldest first, with how many people's grants each has. Rows of expired registrations are left out. */
export async function listClientRows(db: Db<DB>, limit: number): Promise<ListedClient[]> {
  return db
    .selectFrom("identity.platform_oauth_clients as client")
    .selectAll("client")
    .select(
      sql<number>`(
        select count(*)::int from identity.platform_access_grants as granted
        where granted.client_id = client.client_id and granted.revoked_at is null and granted.expires_at > now()
      )`.as("grants"),
    )
    .where((eb) =>
      eb.or([
        eb("client.expires_at", "is", null),
        eb("client.expires_at", ">", sql<Date>`now()`),
        eb("client.is_active", "=", false),
      ]),
    )
    .orderBy("client.created_at")
    .orderBy("client.client_id")
    .limit(limit)
    .execute();
}

export async function findClientDocument(
  db: Db<DB>,
  clientId: string,
): Promise<Selectable<IdentityClientDocuments> | undefined> {
  return db.selectFrom("identity.client_documents").selectAll().where("client_id", "=", clientId).executeTakeFirst();
}

export async function saveClientDocument(db: Db<DB>, document: Insertable<IdentityClientDocuments>): Promise<void> {
  await db
    .insertInto("identity.client_documents")
    .values(document)
    .onConflict((conflict) =>
      conflict
        .column("client_id")
        .doUpdateSet({ metadata: document.metadata, hash: document.hash, fetched_at: sql<Date>`now()` }),
    )
    .execute();
}

import type { Id } from "@svc/contract";
import { type Db, PREPARED } from "@svc/platform/db";
import { idFromUuid, uuidOf } from "@svc/platform/ids";
import { type Insertable, type SelectQueryBuilder, type Selectable, sql } from "kysely";
import type { DB, IdentityPlatformAccessGrants } from "../db-types.ts";

export type GrantRow = Selectable<IdentityPlatformAccessGrants>;

export async function insertGrant(tx: Db<DB>, grant: Insertable<IdentityPlatformAccessGrants>): Promise<void> {
  await tx.insertInto("identity.platform_access_grants").values(grant).execute();
}

/** Without a row a client is one whose id is the address of its document; with one the row decides. */
const clientIsActive = sql<boolean>`case
  when client.client_id is null then granted.client_id like 'https://%'
  else client.is_active and (client.expires_at is null or client.expires_at > now())
end`;

/** Grants that are good for something right now. */
function liveGrants(db: Db<DB>, fingerprint: string) {
  return db
    .selectFrom("identity.platform_access_grants as granted")
    .innerJoin("identity.memberships as membership", (join) =>
      join.onRef("membership.org_id", "=", "granted.org_id").onRef("membership.user_id", "=", "granted.user_id"),
    )
    .innerJoin("identity.users as person", "person.id", "granted.user_id")
    .leftJoin("identity.platform_oauth_clients as client", "client.client_id", "granted.client_id")
    .where("granted.secrets_fingerprint", "=", fingerprint)
    .where("granted.revoked_at", "is", null)
    .where("granted.expires_at", ">", sql<Date>`now()`)
    .where(clientIsActive);
}

export async function findLiveGrant(db: Db<DB>, fingerprint: string, id: Id<"grt">): Promise<GrantRow | undefined> {
  return liveGrants(db, fingerprint).selectAll("granted").where("granted.id", "=", uuidOf(id)).executeTakeFirst();
}

/** Whom an agent acts for, as the grant and the membership are now: look-ups by primary keys alone. */
export interface GrantHolder {
  user_id: string;
  email: string;
  user_name: string | null;
  org_id: string;
  org_name: string;
  slug: string;
  role: string;
  scopes: string[];
  last_used_at: Date | null;
}

/** With each call of an agent, so written out and prepared: to build and to plan it would cost more than to run it. */
export async function findGrantHolder(
  db: Db<DB>,
  fingerprint: string,
  claimed: { grantId: Id<"grt">; userId: Id<"usr">; orgId: Id<"org">; clientId: string },
): Promise<GrantHolder | undefined> {
  const { rows } = await sql<GrantHolder>`${PREPARED}
    select granted.user_id, person.email, person.name as user_name, granted.org_id, org.name as org_name, org.slug,
      membership.role, granted.scopes, granted.last_used_at
    from identity.platform_access_grants as granted
    join identity.memberships as membership
      on membership.org_id = granted.org_id and membership.user_id = granted.user_id
    join identity.users as person on person.id = granted.user_id
    join identity.orgs as org on org.id = granted.org_id
    left join identity.platform_oauth_clients as client on client.client_id = granted.client_id
    where granted.id = ${uuidOf(claimed.grantId)} and granted.user_id = ${uuidOf(claimed.userId)}
      and granted.org_id = ${uuidOf(claimed.orgId)} and granted.client_id = ${claimed.clientId}
      and granted.secrets_fingerprint = ${fingerprint}
      and granted.revoked_at is null and granted.expires_at > now() and ${clientIsActive}`.execute(db);
  return rows[0];
}

export interface Approval {
  userId: Id<"usr">;
  orgId: Id<"org">;
  clientId: string;
  clientHash: string;
  resource: string;
  scopes: string[];
}

/** The newest that covers all of it. */
export async function findGrantThatCovers(
  db: Db<DB>,
  fingerprint: string,
  wanted: Approval,
): Promise<Id<"grt"> | undefined> {
  const row = await ofClient(liveGrants(db, fingerprint), wanted)
    .select("granted.id")
    .where("granted.client_hash", "=", wanted.clientHash)
    .where("granted.resource", "=", wanted.resource)
    .where(sql<boolean>`granted.scopes @> ${wanted.scopes}`)
    .orderBy("granted.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && idFromUuid("grt", row.id);
}

/** Whether the person has approved the client as it was before. */
export async function wasApprovedOtherwise(
  db: Db<DB>,
  fingerprint: string,
  { userId, clientId, clientHash }: Pick<Approval, "userId" | "clientId" | "clientHash">,
): Promise<boolean> {
  const row = await liveGrants(db, fingerprint)
    .select("granted.id")
    .where("granted.user_id", "=", uuidOf(userId))
    .where("granted.client_id", "=", clientId)
    .where("granted.client_hash", "<>", clientHash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The oldest ones of a person and client beyond the newest `keep`. */
export async function listSurplusGrants(
  tx: Db<DB>,
  fingerprint: string,
  wanted: Approval,
  keep: number,
): Promise<Id<"grt">[]> {
  const rows = await ofClient(liveGrants(tx, fingerprint), wanted)
    .select("granted.id")
    .orderBy("granted.id", "desc")
    .offset(keep)
    .limit(1_000)
    .execute();
  return rows.map(({ id }) => idFromUuid("grt", id));
}

// oxlint-disable-next-line typescript/no-explicit-any -- what else is joined does not matter
function ofClient<Q extends SelectQueryBuilder<any, any, any>>(query: Q, wanted: Approval): Q {
  return query
    .where("granted.user_id", "=", uuidOf(wanted.userId))
    .where("granted.org_id", "=", uuidOf(wanted.orgId))
    .where("granted.client_id", "=", wanted.clientId) as Q;
}

/** Before anything that belongs to it; see `lockGrantOf`. */
export async function lockGrant(tx: Db<DB>, id: Id<"grt">): Promise<void> {
  await sql`select from identity.platform_access_grants where id = ${uuidOf(id)} for no key update`.execute(tx);
}

/** Undefined where there is none that is not revoked yet; else who and what it was, for the trail. */
export async function markGrantRevoked(
  tx: Db<DB>,
  id: Id<"grt">,
): Promise<(Pick<GrantRow, "org_id" | "user_id" | "client_name" | "client_id"> & { email: string }) | undefined> {
  const { rows } = await sql<Pick<GrantRow, "org_id" | "user_id" | "client_name" | "client_id"> & { email: string }>`
    update identity.platform_access_grants as granted set revoked_at = now()
    from identity.users as person
    where granted.id = ${uuidOf(id)} and granted.revoked_at is null and person.id = granted.user_id
    returning granted.org_id, granted.user_id, granted.client_name, granted.client_id, person.email`.execute(tx);
  return rows[0];
}

/** For as long as its newest refresh token lives. */
export async function extendGrant(tx: Db<DB>, id: Id<"grt">, expiresAt: Date): Promise<void> {
  await tx
    .updateTable("identity.platform_access_grants")
    .set({ expires_at: expiresAt })
    .where("id", "=", uuidOf(id))
    .execute();
}

export async function listGrantIdsOfClient(tx: Db<DB>, clientId: string): Promise<Id<"grt">[]> {
  const rows = await tx
    .selectFrom("identity.platform_access_grants")
    .select("id")
    .where("client_id", "=", clientId)
    .where("revoked_at", "is", null)
    .execute();
  return rows.map(({ id }) => idFromUuid("grt", id));
}

export type ListedGrant = GrantRow & { email: string };

interface GrantPage {
  limit: number;
  after?: Id<"grt"> | undefined;
  /** Only this person's. */
  userId?: Id<"usr"> | undefined;
}

export async function listLiveGrants(
  db: Db<DB>,
  fingerprint: string,
  orgId: Id<"org">,
  page: GrantPage,
): Promise<ListedGrant[]> {
  let query = liveGrants(db, fingerprint)
    .selectAll("granted")
    .select("person.email")
    .where("granted.org_id", "=", uuidOf(orgId))
    .orderBy("granted.id")
    .limit(page.limit);
  if (page.userId) query = query.where("granted.user_id", "=", uuidOf(page.userId));
  if (page.after) query = query.where("granted.id", ">", uuidOf(page.after));
  return query.execute();
}

export async function findGrantOwner(tx: Db<DB>, orgId: Id<"org">, id: Id<"grt">): Promise<Id<"usr"> | undefined> {
  const row = await tx
    .selectFrom("identity.platform_access_grants")
    .select("user_id")
    .where("org_id", "=", uuidOf(orgId))
    .where("id", "=", uuidOf(id))
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return row && idFromUuid("usr", row.user_id);
}

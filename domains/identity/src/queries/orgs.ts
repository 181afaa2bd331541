import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { type Insertable, type Selectable, sql } from "kysely";
import type { DB, IdentityOrgs } from "../db-types.ts";

export type OrgRow = Selectable<IdentityOrgs> & { domains: string[] };

/** False where the slug is taken. */
export async function insertOrgUnlessTaken(tx: Db<DB>, org: Insertable<IdentityOrgs>): Promise<boolean> {
  const inserted = await tx
    .insertInto("identity.orgs")
    .values(org)
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .executeTakeFirst();
  return Number(inserted.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findOrg(db: Db<DB>, id: Id<"org">): Promise<OrgRow | undefined> {
  return db
    .selectFrom("identity.orgs as org")
    .selectAll("org")
    .select(
      sql<string[]>`array(select domain from identity.org_domains where org_id = org.id order by domain)`.as("domains"),
    )
    .where("org.id", "=", uuidOf(id))
    .executeTakeFirst();
}

/** Whoever changes an organization's owners waits here for the one before, so that two cannot leave none. */
export async function lockOrg(tx: Db<DB>, id: Id<"org">): Promise<boolean> {
  const row = await tx
    .selectFrom("identity.orgs")
    .select("id")
    .where("id", "=", uuidOf(id))
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateOrgName(tx: Db<DB>, id: Id<"org">, name: string): Promise<void> {
  await tx.updateTable("identity.orgs").set({ name }).where("id", "=", uuidOf(id)).execute();
}

export async function replaceDomains(tx: Db<DB>, id: Id<"org">, domains: string[]): Promise<void> {
  await tx.deleteFrom("identity.org_domains").where("org_id", "=", uuidOf(id)).execute();
  if (domains.length === 0) return;
  const rows = domains.map((domain) => ({ domain, org_id: uuidOf(id) }));
  await tx.insertInto("identity.org_domains").values(rows).execute();
}

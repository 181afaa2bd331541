import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import type { Insertable } from "kysely";
import type { DB, IdentityApiTokens } from "../db-types.ts";

export async function insertApiToken(tx: Db<DB>, token: Insertable<IdentityApiTokens>): Promise<void> {
  await tx.insertInto("identity.api_tokens").values(token).execute();
}

export interface ApiTokenRow {
  id: string;
  name: string;
  prefix: string;
  user_id: string;
  email: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

function apiTokens(db: Db<DB>, orgId: Id<"org">) {
  return db
    .selectFrom("identity.api_tokens as token")
    .innerJoin("identity.users as person", "person.id", "token.user_id")
    .select([
      "token.id",
      "token.name",
      "token.prefix",
      "token.user_id",
      "person.email",
      "token.created_at",
      "token.expires_at",
      "token.last_used_at",
    ])
    .where("token.org_id", "=", uuidOf(orgId));
}

export async function findApiTokenRow(db: Db<DB>, orgId: Id<"org">, id: Id<"tok">): Promise<ApiTokenRow | undefined> {
  return apiTokens(db, orgId).where("token.id", "=", uuidOf(id)).executeTakeFirst();
}

interface ApiTokenPage {
  limit: number;
  after?: Id<"tok"> | undefined;
  /** Only this person's. */
  userId?: Id<"usr"> | undefined;
}

export async function listApiTokenRows(db: Db<DB>, orgId: Id<"org">, page: ApiTokenPage): Promise<ApiTokenRow[]> {
  let query = apiTokens(db, orgId).orderBy("token.id").limit(page.limit);
  if (page.userId) query = query.where("token.user_id", "=", uuidOf(page.userId));
  if (page.after) query = query.where("token.id", ">", uuidOf(page.after));
  return query.execute();
}

export async function deleteApiToken(tx: Db<DB>, orgId: Id<"org">, id: Id<"tok">): Promise<void> {
  await tx.deleteFrom("identity.api_tokens").where("org_id", "=", uuidOf(orgId)).where("id", "=", uuidOf(id)).execute();
}

/** Whom a token stands for right now: one look-up by its digest, then by primary keys. */
export interface TokenHolder {
  token_id: string;
  user_id: string;
  email: string;
  user_name: string | null;
  org_id: string;
  org_name: string;
  slug: string;
  role: string;
  expires_at: Date | null;
  last_used_at: Date | null;
}

export async function findTokenHolder(db: Db<DB>, digest: Buffer): Promise<TokenHolder | undefined> {
  return db
    .selectFrom("identity.api_tokens as token")
    .innerJoin("identity.memberships as membership", (join) =>
      join.onRef("membership.org_id", "=", "token.org_id").onRef("membership.user_id", "=", "token.user_id"),
    )
    .innerJoin("identity.users as person", "person.id", "token.user_id")
    .innerJoin("identity.orgs as org", "org.id", "token.org_id")
    .select([
      "token.id as token_id",
      "token.user_id",
      "person.email",
      "person.name as user_name",
      "token.org_id",
      "org.name as org_name",
      "org.slug",
      "membership.role",
      "token.expires_at",
      "token.last_used_at",
    ])
    .where("token.digest", "=", digest)
    .executeTakeFirst();
}

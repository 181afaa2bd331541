import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import type { DB } from "../db-types.ts";

interface FoundOrg {
  id: string;
  slug: string;
  name: string;
}

export async function findOrgById(db: Db<DB>, id: Id<"org">): Promise<FoundOrg | undefined> {
  return orgs(db).where("id", "=", uuidOf(id)).executeTakeFirst();
}

export async function findOrgBySlug(db: Db<DB>, slug: string): Promise<FoundOrg | undefined> {
  return orgs(db).where("slug", "=", slug).executeTakeFirst();
}

const orgs = (db: Db<DB>) => db.selectFrom("identity.orgs").select(["id", "slug", "name"]);

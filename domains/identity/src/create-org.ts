import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import type { DB } from "./db-types.ts";
import { insertMembership, insertOrg, insertUserUnlessKnown } from "./queries.ts";

interface NewOrg {
  name: string;
  slug: string;
  owner: { email: string; name: string };
}

/** An organization with its first owner; a person known by that address is added, not made again. */
export async function createOrg(
  db: Db<DB>,
  { name, slug, owner }: NewOrg,
): Promise<{ orgId: Id<"org">; userId: Id<"usr"> }> {
  return db.transaction().execute(async (tx) => {
    const orgId = newId("org");
    await insertOrg(tx, { id: uuidOf(orgId), name, slug });
    const userId = await insertUserUnlessKnown(tx, { id: uuidOf(newId("usr")), ...owner });
    await insertMembership(tx, { org_id: uuidOf(orgId), user_id: uuidOf(userId), role: "owner" });
    return { orgId, userId };
  });
}

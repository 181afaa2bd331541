import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { uuidOf } from "@svc/platform/ids";
import { sql } from "kysely";
import type { DB } from "../db-types.ts";

export interface SessionHolder {
  user_id: string;
  email: string;
  user_name: string | null;
  org_id: string | null;
  org_name: string | null;
  slug: string | null;
  role: string | null;
}

/** Whom a user token stands for, while its session lives. The organization's part is null where they are not in it. */
export async function findSessionHolder(
  db: Db<DB>,
  sessionId: Id<"ses">,
  userId: Id<"usr">,
  orgId: Id<"org"> | undefined,
): Promise<SessionHolder | undefined> {
  return db
    .selectFrom("identity.sessions as session")
    .innerJoin("identity.users as person", "person.id", "session.user_id")
    .leftJoin("identity.memberships as membership", (join) =>
      join
        .onRef("membership.user_id", "=", "session.user_id")
        .on("membership.org_id", "=", orgId ? uuidOf(orgId) : null),
    )
    .leftJoin("identity.orgs as org", "org.id", "membership.org_id")
    .select([
      "session.user_id",
      "person.email",
      "person.name as user_name",
      "membership.org_id",
      "org.name as org_name",
      "org.slug",
      "membership.role",
    ])
    .where("session.id", "=", uuidOf(sessionId))
    .where("session.user_id", "=", uuidOf(userId))
    .where("session.expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

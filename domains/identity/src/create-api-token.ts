import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import type { DB } from "./db-types.ts";
import { insertApiToken } from "./queries.ts";
import { displayPrefixOf, makeApiToken } from "./token-format.ts";
import type { TokenKeys } from "./token-keys.ts";

interface NewApiToken {
  orgId: Id<"org">;
  userId: Id<"usr">;
  name: string;
  expiresAt?: Date;
}

/** The token is in the answer and nowhere else: nobody can read it again. */
export async function createApiToken(
  db: Db<DB>,
  keys: TokenKeys,
  wanted: NewApiToken,
): Promise<{ id: Id<"tok">; token: string }> {
  const id = newId("tok");
  const token = makeApiToken();
  await insertApiToken(db, {
    id: uuidOf(id),
    org_id: uuidOf(wanted.orgId),
    user_id: uuidOf(wanted.userId),
    name: wanted.name,
    digest: keys.digestApiToken(token),
    prefix: displayPrefixOf(token),
    expires_at: wanted.expiresAt ?? null,
  });
  return { id, token };
}

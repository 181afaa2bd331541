import { type ApiToken, type Caller, type Id, isAtLeast } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import { announceRevocation } from "./announce-revocation.ts";
import type { Actor, IdentityContext, Origin } from "./context.ts";
import {
  type ApiTokenRow,
  deleteApiToken,
  findApiTokenRow,
  insertApiToken,
  listApiTokenRows,
} from "./queries/api-tokens.ts";
import { recordAudit } from "./record-audit.ts";
import { displayPrefixOf, makeApiToken } from "./token-format.ts";

interface NewApiToken {
  orgId: Id<"org">;
  userId: Id<"usr">;
  name: string;
  expiresAt?: Date | undefined;
}

/** The token is in the answer and nowhere else: nobody can read it again. */
export async function createApiToken(
  { db, keys }: IdentityContext,
  wanted: NewApiToken,
  actor: Actor,
  origin: Origin,
): Promise<{ api_token: ApiToken; token: string }> {
  if (wanted.expiresAt && wanted.expiresAt <= new Date()) {
    throw new AppError("INVALID_REQUEST", "expires_at is in the past; leave it out for a token that does not expire.", {
      problems: [{ path: "expires_at", message: "must be in the future" }],
    });
  }
  const id = newId("tok");
  const token = makeApiToken();
  return db.transaction().execute(async (tx) => {
    await insertApiToken(tx, {
      id: uuidOf(id),
      org_id: uuidOf(wanted.orgId),
      user_id: uuidOf(wanted.userId),
      name: wanted.name,
      digest: keys.digest("api token", token),
      prefix: displayPrefixOf(token),
      expires_at: wanted.expiresAt ?? null,
    });
    const target = { kind: "api_token", id, name: wanted.name };
    await recordAudit(tx, { orgId: wanted.orgId, action: "api_token.created", actor, target, origin });
    const created = await findApiTokenRow(tx, wanted.orgId, id);
    if (!created) throw new Error("a token that was just made is gone");
    return { api_token: toApiToken(created), token };
  });
}

interface ApiTokenPage {
  limit: number;
  after?: Id<"tok"> | undefined;
  userId?: Id<"usr"> | undefined;
}

export async function listApiTokens(
  { db }: IdentityContext,
  orgId: Id<"org">,
  page: ApiTokenPage,
): Promise<ApiToken[]> {
  return (await listApiTokenRows(db, orgId, page)).map(toApiToken);
}

/** One's own, or anyone's of the organization for an admin. Over when this answers, here and elsewhere. */
export async function revokeApiToken(
  context: IdentityContext,
  caller: Caller,
  id: Id<"tok">,
  actor: Actor,
  origin: Origin,
): Promise<void> {
  const orgId = caller.org.id;
  await context.db.transaction().execute(async (tx) => {
    const found = await findApiTokenRow(tx, orgId, id);
    const mayRevoke =
      found && (idFromUuid("usr", found.user_id) === caller.user?.id || isAtLeast(caller.role, "admin"));
    // Others' tokens are not even there for who may not see them.
    if (!found || !mayRevoke) throw new AppError("NOT_FOUND", "No such API token.");
    await deleteApiToken(tx, orgId, id);
    const target = { kind: "api_token", id, name: found.name };
    await recordAudit(tx, { orgId, action: "api_token.revoked", actor, target, details: { of: found.email }, origin });
  });
  await announceRevocation(context);
}

function toApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: idFromUuid("tok", row.id),
    name: row.name,
    prefix: row.prefix,
    user: { id: idFromUuid("usr", row.user_id), email: row.email },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

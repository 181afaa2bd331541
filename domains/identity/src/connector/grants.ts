import { type Caller, type Grant, type Id, isAtLeast } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import { announceRevocation } from "../announce-revocation.ts";
import type { Actor, IdentityContext, Origin } from "../context.ts";
import type { DB } from "../db-types.ts";
import { recordAudit } from "../record-audit.ts";
import { deleteArtifactsOfGrant } from "./artifact-queries.ts";
import {
  type Approval,
  findGrantOwner,
  insertGrant,
  type ListedGrant,
  listLiveGrants,
  listSurplusGrants,
  markGrantRevoked,
} from "./grant-queries.ts";

/** Until the agent has fetched its first tokens; after that the grant lives as long as they can be renewed. */
const UNTIL_FIRST_TOKENS_MS = 10 * 60_000;
/** One program on several machines is allowed several times; whoever allows without end loses the oldest. */
const MOST_OF_ONE_CLIENT = 20;

export interface NewGrant extends Approval {
  email: string;
  clientName: string;
  redirectUri: string;
}

export async function createGrant({ db, keys }: IdentityContext, wanted: NewGrant, origin: Origin): Promise<Id<"grt">> {
  const id = newId("grt");
  const actor: Actor = { kind: "user", id: wanted.userId, name: wanted.email };
  const redirectHost = new URL(wanted.redirectUri).host;
  await db.transaction().execute(async (tx) => {
    await insertGrant(tx, {
      id: uuidOf(id),
      org_id: uuidOf(wanted.orgId),
      user_id: uuidOf(wanted.userId),
      client_id: wanted.clientId,
      client_name: wanted.clientName,
      client_hash: wanted.clientHash,
      redirect_host: redirectHost,
      scopes: wanted.scopes,
      resource: wanted.resource,
      secrets_fingerprint: keys.fingerprint,
      expires_at: new Date(Date.now() + UNTIL_FIRST_TOKENS_MS),
    });
    await recordAudit(tx, {
      orgId: wanted.orgId,
      action: "grant.created",
      actor,
      target: { kind: "grant", id, name: wanted.clientName },
      details: { client: wanted.clientId, redirect_host: redirectHost, scopes: wanted.scopes.join(" ") },
      origin,
    });
    for (const surplus of await listSurplusGrants(tx, keys.fingerprint, wanted, MOST_OF_ONE_CLIENT)) {
      await endGrant(tx, surplus, { actor, origin, reason: "too many of this agent" });
    }
  });
  return id;
}

interface Ending {
  actor: Actor;
  origin: Origin;
  reason?: string;
}

/** Its codes and refresh tokens go with it. False where it was over already. */
export async function endGrant(tx: Db<DB>, id: Id<"grt">, { actor, origin, reason }: Ending): Promise<boolean> {
  const ended = await markGrantRevoked(tx, id);
  await deleteArtifactsOfGrant(tx, id);
  if (!ended) return false;
  await recordAudit(tx, {
    orgId: idFromUuid("org", ended.org_id),
    action: "grant.revoked",
    actor,
    target: { kind: "grant", id, name: ended.client_name },
    details: { of: ended.email, client: ended.client_id, ...(reason && { reason }) },
    origin,
  });
  return true;
}

/** One's own, or anyone's of the organization for an admin. The agent's very next call is refused. */
export async function disconnectAgent(
  context: IdentityContext,
  caller: Caller,
  id: Id<"grt">,
  actor: Actor,
  origin: Origin,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const owner = await findGrantOwner(tx, caller.org.id, id);
    const mayEnd = owner && (owner === caller.user?.id || isAtLeast(caller.role, "admin"));
    // Others' are not even there for who may not see them.
    if (!mayEnd || !(await endGrant(tx, id, { actor, origin }))) {
      throw new AppError("NOT_FOUND", "No such connected agent. List them to see their ids.");
    }
  });
  await announceRevocation(context);
}

interface GrantPage {
  limit: number;
  after?: Id<"grt"> | undefined;
  userId?: Id<"usr"> | undefined;
}

export async function listGrants({ db, keys }: IdentityContext, orgId: Id<"org">, page: GrantPage): Promise<Grant[]> {
  return (await listLiveGrants(db, keys.fingerprint, orgId, page)).map(toGrant);
}

function toGrant(row: ListedGrant): Grant {
  return {
    id: idFromUuid("grt", row.id),
    client: { id: row.client_id, name: row.client_name, redirect_host: row.redirect_host },
    user: { id: idFromUuid("usr", row.user_id), email: row.email },
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  };
}

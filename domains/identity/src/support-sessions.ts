import type { Id, SupportSession } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import type { Outbox } from "@svc/platform/outbox";
import { announceRevocation } from "./announce-revocation.ts";
import type { Actor, IdentityContext, Origin } from "./context.ts";
import { getOrg } from "./get-org.ts";
import { insertSupportSession, type SupportSessionRow, updateLiveSupportSession } from "./queries/support-sessions.ts";
import { recordAudit } from "./record-audit.ts";
import { makeSupportToken } from "./token-format.ts";

const LIFETIME_MS = 3_600_000;

interface NewSupportSession {
  orgId: Id<"org">;
  staff?: string | undefined;
  reason: string;
}

/** Read only at first, for an hour. The organization's owners and admins hear of it by its event. */
export async function startSupportSession(
  { db, keys }: IdentityContext,
  outbox: Outbox,
  { orgId, staff = "support", reason }: NewSupportSession,
  origin: Origin,
): Promise<{ support_session: SupportSession; token: string }> {
  const id = newId("sup");
  const token = makeSupportToken();
  const row = await db.transaction().execute(async (tx) => {
    await getOrg(tx, orgId);
    const inserted = await insertSupportSession(tx, {
      org_id: uuidOf(orgId),
      id: uuidOf(id),
      staff,
      reason,
      digest: keys.digest("support token", token),
      access: "read",
      expires_at: new Date(Date.now() + LIFETIME_MS),
    });
    const target = { kind: "support_session", id, name: staff };
    await recordAudit(tx, {
      orgId,
      action: "support_access.started",
      actor: staffAs(staff),
      target,
      details: { reason },
      origin,
    });
    await outbox.write(tx, {
      org_id: orgId,
      type: "org.support_access.started",
      subject: { kind: "support_session", id },
    });
    return inserted;
  });
  return { support_session: toSupportSession(row), token };
}

/** From read only to read and write; the organization hears of that, too. */
export async function elevateSupportSession(
  context: IdentityContext,
  outbox: Outbox,
  orgId: Id<"org">,
  id: Id<"sup">,
  origin: Origin,
): Promise<SupportSession> {
  const row = await changeSupportSession(context, orgId, id, "elevate", origin, outbox);
  return toSupportSession(row);
}

export async function endSupportSession(
  context: IdentityContext,
  orgId: Id<"org">,
  id: Id<"sup">,
  origin: Origin,
): Promise<SupportSession> {
  return toSupportSession(await changeSupportSession(context, orgId, id, "end", origin));
}

async function changeSupportSession(
  context: IdentityContext,
  orgId: Id<"org">,
  id: Id<"sup">,
  change: "elevate" | "end",
  origin: Origin,
  outbox?: Outbox,
): Promise<SupportSessionRow> {
  const row = await context.db.transaction().execute(async (tx) => {
    const changed = await updateLiveSupportSession(tx, orgId, id, change);
    if (!changed) throw new AppError("NOT_FOUND", "No such support session, or it is over. Start another.");
    const action = change === "elevate" ? "support_access.elevated" : "support_access.ended";
    const target = { kind: "support_session", id, name: changed.staff };
    await recordAudit(tx, { orgId, action, actor: staffAs(changed.staff), target, origin });
    await outbox?.write(tx, {
      org_id: orgId,
      type: "org.support_access.elevated",
      subject: { kind: "support_session", id },
    });
    return changed;
  });
  await announceRevocation(context);
  return row;
}

function staffAs(staff: string): Actor {
  return { kind: "support", id: null, name: staff };
}

function toSupportSession(row: SupportSessionRow): SupportSession {
  return {
    id: idFromUuid("sup", row.id),
    org_id: idFromUuid("org", row.org_id),
    staff: row.staff,
    reason: row.reason,
    access: row.access as SupportSession["access"],
    started_at: row.started_at.toISOString(),
    elevated_at: row.elevated_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  };
}

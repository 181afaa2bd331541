import type { Id, Invitation, Role } from "@svc/contract";
import { AppError } from "@svc/platform/errors";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import type { Actor, IdentityContext, Origin } from "./context.ts";
import { deleteInvitation, type InvitationRow, listInvitationRows, replaceInvitation } from "./queries/invitations.ts";
import { findMemberByEmail } from "./queries/members.ts";
import { recordAudit } from "./record-audit.ts";

const VALID_DAYS = 7;

interface NewInvitation {
  email: string;
  role: Role;
  invitedBy: Id<"usr"> | undefined;
}

/** Good for one sign-in with that address, if the provider vouches for it. */
export async function invite(
  { db }: IdentityContext,
  orgId: Id<"org">,
  wanted: NewInvitation,
  actor: Actor,
  origin: Origin,
): Promise<Invitation> {
  return db.transaction().execute(async (tx) => {
    if (await findMemberByEmail(tx, orgId, wanted.email)) {
      throw new AppError("CONFLICT", `${wanted.email} is a member already. Change the role of the member instead.`);
    }
    const invitation = await replaceInvitation(tx, {
      org_id: uuidOf(orgId),
      id: uuidOf(newId("inv")),
      email: wanted.email,
      role: wanted.role,
      invited_by: wanted.invitedBy ? uuidOf(wanted.invitedBy) : null,
      expires_at: new Date(Date.now() + VALID_DAYS * 86_400_000),
    });
    const target = { kind: "invitation", id: idFromUuid("inv", invitation.id), name: wanted.email };
    await recordAudit(tx, {
      orgId,
      action: "invitation.created",
      actor,
      target,
      details: { role: wanted.role },
      origin,
    });
    return toInvitation(invitation);
  });
}

export async function listInvitations(
  { db }: IdentityContext,
  orgId: Id<"org">,
  limit: number,
  after?: Id<"inv">,
): Promise<Invitation[]> {
  return (await listInvitationRows(db, orgId, limit, after)).map(toInvitation);
}

export async function revokeInvitation(
  { db }: IdentityContext,
  orgId: Id<"org">,
  id: Id<"inv">,
  actor: Actor,
  origin: Origin,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const revoked = await deleteInvitation(tx, orgId, id);
    if (!revoked) throw new AppError("NOT_FOUND", "No such invitation. It may have been accepted.");
    const target = { kind: "invitation", id, name: revoked.email };
    await recordAudit(tx, { orgId, action: "invitation.revoked", actor, target, origin });
  });
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: idFromUuid("inv", row.id),
    email: row.email,
    role: row.role as Role,
    invited_by: row.invited_by ? idFromUuid("usr", row.invited_by) : null,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

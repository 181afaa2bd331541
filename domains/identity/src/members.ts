import type { Id, Member, Role } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { idFromUuid } from "@svc/platform/ids";
import { announceRevocation } from "./announce-revocation.ts";
import { type Actor, BY_RULE, type IdentityContext, type Origin } from "./context.ts";
import type { DB } from "./db-types.ts";
import {
  countOwners,
  deleteMember,
  findMember,
  insertMember,
  listMemberRows,
  type MemberRow,
  updateMemberRole,
} from "./queries/members.ts";
import { findOrInsertPerson } from "./queries/people.ts";
import { lockOrg } from "./queries/orgs.ts";
import { recordAudit } from "./record-audit.ts";

export async function listMembers(
  { db }: IdentityContext,
  orgId: Id<"org">,
  limit: number,
  after?: Id<"mem">,
): Promise<Member[]> {
  return (await listMemberRows(db, orgId, limit, after)).map(toMember);
}

/** For what has decided already that the person belongs: tests, demo data, a migration from elsewhere. */
export async function addMember(
  { db }: IdentityContext,
  orgId: Id<"org">,
  email: string,
  role: Role,
): Promise<{ userId: Id<"usr">; memberId: Id<"mem"> }> {
  return db.transaction().execute(async (tx) => {
    const { userId } = await findOrInsertPerson(tx, email, null);
    const memberId = await insertMember(tx, orgId, userId, role);
    const target = { kind: "member", id: memberId, name: email };
    const origin = { address: null, userAgent: null };
    await recordAudit(tx, { orgId, action: "member.joined", actor: BY_RULE, target, details: { role }, origin });
    return { userId, memberId };
  });
}

/** Takes effect with the member's next request, everywhere. */
export async function changeMemberRole(
  context: IdentityContext,
  orgId: Id<"org">,
  memberId: Id<"mem">,
  role: Role,
  actor: Actor,
  origin: Origin,
): Promise<Member> {
  const changed = await context.db.transaction().execute(async (tx) => {
    const member = await getLockedMember(tx, orgId, memberId);
    if (member.role === "owner" && role !== "owner") await keepAnOwner(tx, orgId);
    await updateMemberRole(tx, orgId, memberId, role);
    await recordAudit(tx, {
      orgId,
      action: "member.role_changed",
      actor,
      target: { kind: "member", id: memberId, name: member.email },
      details: { from: member.role, to: role },
      origin,
    });
    return { ...member, role };
  });
  await announceRevocation(context);
  return toMember(changed);
}

/** An owner removes anyone; everyone else only themselves. The person's tokens of the organization end with it. */
export async function removeMember(
  context: IdentityContext,
  orgId: Id<"org">,
  memberId: Id<"mem">,
  by: { userId: Id<"usr"> | undefined; role: Role; actor: Actor; origin: Origin },
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const member = await getLockedMember(tx, orgId, memberId);
    const isSelf = by.userId !== undefined && idFromUuid("usr", member.user_id) === by.userId;
    if (!isSelf && by.role !== "owner") {
      throw new AppError("FORBIDDEN", "Only an owner can remove others. Ask an owner of the organization.");
    }
    if (member.role === "owner") await keepAnOwner(tx, orgId);
    await deleteMember(tx, orgId, memberId);
    await recordAudit(tx, {
      orgId,
      action: "member.removed",
      actor: by.actor,
      target: { kind: "member", id: memberId, name: member.email },
      details: { role: member.role },
      origin: by.origin,
    });
  });
  await announceRevocation(context);
}

async function getLockedMember(tx: Db<DB>, orgId: Id<"org">, memberId: Id<"mem">): Promise<MemberRow> {
  await lockOrg(tx, orgId);
  const member = await findMember(tx, orgId, memberId);
  if (!member) throw new AppError("NOT_FOUND", "No such member.");
  return member;
}

async function keepAnOwner(tx: Db<DB>, orgId: Id<"org">): Promise<void> {
  if ((await countOwners(tx, orgId)) > 1) return;
  throw new AppError("LAST_OWNER", "This is the last owner. Make someone else an owner first.");
}

function toMember(row: MemberRow): Member {
  return {
    id: idFromUuid("mem", row.id),
    user: { id: idFromUuid("usr", row.user_id), email: row.email, name: row.name },
    role: row.role as Role,
    created_at: row.created_at.toISOString(),
  };
}

import type { Id } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { isFreeMailDomain } from "../free-mail-domains.ts";
import { type Actor, BY_RULE, type Origin } from "../context.ts";
import type { DB } from "../db-types.ts";
import { recordAudit } from "../record-audit.ts";
import { findOrgOfDomain, insertMemberUnlessThere, takeInvitations } from "./person-queries.ts";
import type { Person } from "./start-session.ts";
import { domainOf } from "./vouch-for-email.ts";

/** Every open invitation to a vouched address. Who is a member already keeps their role. */
export async function joinByInvitation(tx: Db<DB>, person: Person, address: string, origin: Origin): Promise<void> {
  const actor: Actor = { kind: "user", id: person.userId, name: person.email };
  for (const { id, orgId, role } of await takeInvitations(tx, address)) {
    const target = { kind: "invitation", id, name: address };
    await recordAudit(tx, { orgId, action: "invitation.accepted", actor, target, details: { role }, origin });
    const memberId = await insertMemberUnlessThere(tx, orgId, person.userId, role);
    if (memberId) await recordJoin(tx, { orgId, memberId, person, actor, details: { role, by: "invitation" }, origin });
  }
}

/** The organization that has claimed the domain of a vouched address. */
export async function joinByDomain(tx: Db<DB>, person: Person, address: string, origin: Origin): Promise<void> {
  const domain = domainOf(address);
  // Refused when a domain is claimed, too. The list of free mail providers grows, and a claim may be older.
  if (isFreeMailDomain(domain)) return;
  const orgId = await findOrgOfDomain(tx, domain);
  if (!orgId) return;
  const memberId = await insertMemberUnlessThere(tx, orgId, person.userId, "member");
  const details = { role: "member", by: "domain", domain };
  if (memberId) await recordJoin(tx, { orgId, memberId, person, actor: BY_RULE, details, origin });
}

interface Join {
  orgId: Id<"org">;
  memberId: Id<"mem">;
  person: Person;
  actor: Actor;
  details: Record<string, string>;
  origin: Origin;
}

async function recordJoin(tx: Db<DB>, { orgId, memberId, person, actor, details, origin }: Join): Promise<void> {
  const target = { kind: "member", id: memberId, name: person.email };
  await recordAudit(tx, { orgId, action: "member.joined", actor, target, details, origin });
}

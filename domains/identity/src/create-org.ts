import type { Id, Org } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { newId, uuidOf } from "@svc/platform/ids";
import { claimDomains } from "./claim-domains.ts";
import type { Actor, IdentityContext, Origin } from "./context.ts";
import type { DB } from "./db-types.ts";
import { getOrg } from "./get-org.ts";
import { anotherSlug, slugOf } from "./org-slug.ts";
import { insertMember } from "./queries/members.ts";
import { findOrInsertPerson, findPerson } from "./queries/people.ts";
import { insertOrgUnlessTaken } from "./queries/orgs.ts";
import { recordAudit } from "./record-audit.ts";

const SLUG_TRIES = 10;

/** For a person who signed in, and who becomes its owner. */
export async function createOrg(
  { db }: IdentityContext,
  wanted: { name: string; ownerId: Id<"usr"> },
  origin: Origin,
): Promise<Org> {
  return db.transaction().execute(async (tx) => {
    const owner = await findPerson(tx, wanted.ownerId);
    if (!owner) throw new AppError("UNAUTHENTICATED", "Your account is gone. Sign in again.");
    const actor: Actor = { kind: "user", id: wanted.ownerId, name: owner.email };
    const orgId = await insertOrg(tx, wanted.name, actor, origin);
    await insertMember(tx, orgId, wanted.ownerId, "owner");
    return getOrg(tx, orgId);
  });
}

interface OrgByOperator {
  name: string;
  domains?: string[] | undefined;
  admin_email?: string | undefined;
  admin_name?: string | undefined;
}

interface CreatedByOperator {
  org: Org;
  owner?: { user_id: Id<"usr">; created: boolean; added: boolean };
}

/** For the operator, who may name the first owner and the domains whose people join by themselves. */
export async function createOrgAsOperator(
  { db }: IdentityContext,
  wanted: OrgByOperator,
  origin: Origin,
): Promise<CreatedByOperator> {
  return db.transaction().execute(async (tx) => {
    const actor: Actor = { kind: "operator", id: null, name: "operator" };
    const orgId = await insertOrg(tx, wanted.name, actor, origin);
    if (wanted.domains) await claimDomains(tx, orgId, wanted.domains);
    if (!wanted.admin_email) return { org: await getOrg(tx, orgId) };

    const { userId, created } = await findOrInsertPerson(tx, wanted.admin_email, wanted.admin_name ?? null);
    const memberId = await insertMember(tx, orgId, userId, "owner");
    const target = { kind: "member", id: memberId, name: wanted.admin_email };
    await recordAudit(tx, { orgId, action: "member.joined", actor, target, details: { role: "owner" }, origin });
    return { org: await getOrg(tx, orgId), owner: { user_id: userId, created, added: !created } };
  });
}

async function insertOrg(tx: Db<DB>, name: string, actor: Actor, origin: Origin): Promise<Id<"org">> {
  const orgId = newId("org");
  const first = slugOf(name);
  let slug = first;
  for (let tries = 0; !(await insertOrgUnlessTaken(tx, { id: uuidOf(orgId), name, slug })); tries += 1) {
    if (tries === SLUG_TRIES)
      throw new AppError("CONFLICT", "No free short name could be made of this name. Choose another.");
    slug = anotherSlug(first);
  }
  const target = { kind: "org", id: orgId, name };
  await recordAudit(tx, { orgId, action: "org.created", actor, target, details: { slug }, origin });
  return orgId;
}

import type { Id, Org } from "@svc/contract";
import { claimDomains } from "./claim-domains.ts";
import type { Actor, IdentityContext, Origin } from "./context.ts";
import { getOrg } from "./get-org.ts";
import { lockOrg, updateOrgName } from "./queries/orgs.ts";
import { recordAudit } from "./record-audit.ts";

interface OrgChange {
  name?: string | undefined;
  domains?: string[] | undefined;
}

/** The slug stays: it is in addresses that people keep. */
export async function updateOrg(
  { db }: IdentityContext,
  orgId: Id<"org">,
  change: OrgChange,
  actor: Actor,
  origin: Origin,
): Promise<Org> {
  return db.transaction().execute(async (tx) => {
    await lockOrg(tx, orgId);
    if (change.name !== undefined) await updateOrgName(tx, orgId, change.name);
    if (change.domains) await claimDomains(tx, orgId, change.domains);
    const org = await getOrg(tx, orgId);
    const details = { name: org.name, domains: org.domains.join(", ").slice(0, 500) };
    await recordAudit(tx, {
      orgId,
      action: "org.updated",
      actor,
      target: { kind: "org", id: orgId, name: org.name },
      details,
      origin,
    });
    return org;
  });
}

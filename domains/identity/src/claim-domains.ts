import type { Id } from "@svc/contract";
import { type Db, sqlStateOf } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import type { DB } from "./db-types.ts";
import { isFreeMailDomain } from "./free-mail-domains.ts";
import { replaceDomains } from "./queries/orgs.ts";

const UNIQUE_VIOLATION = "23505";

/** Whoever signs in with an address of these joins by itself. A domain belongs to one organization. */
export async function claimDomains(tx: Db<DB>, orgId: Id<"org">, domains: string[]): Promise<void> {
  const free = domains.filter(isFreeMailDomain);
  if (free.length > 0) {
    throw new AppError(
      "INVALID_REQUEST",
      `Everybody can have an address at ${free.join(", ")}; invite people instead.`,
      {
        problems: free.map((domain) => ({ path: "domains", message: `${domain} is a free mail provider` })),
      },
    );
  }
  try {
    await replaceDomains(tx, orgId, [...new Set(domains)]);
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new AppError(
      "DOMAIN_TAKEN",
      "One of these domains belongs to another organization. Leave it out, or ask support.",
    );
  }
}

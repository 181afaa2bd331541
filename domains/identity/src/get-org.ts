import type { Id, Org } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { idFromUuid } from "@svc/platform/ids";
import type { DB } from "./db-types.ts";
import { findOrg } from "./queries/orgs.ts";

export async function getOrg(db: Db<DB>, id: Id<"org">): Promise<Org> {
  const found = await findOrg(db, id);
  if (!found) throw new AppError("NOT_FOUND", "No such organization.");
  return {
    id: idFromUuid("org", found.id),
    name: found.name,
    slug: found.slug,
    domains: found.domains,
    created_at: found.created_at.toISOString(),
  };
}

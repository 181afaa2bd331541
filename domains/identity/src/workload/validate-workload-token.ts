import { idSchema, type TokenValidation } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { idFromUuid } from "@svc/platform/ids";
import type { DB } from "../db-types.ts";
import { findOrgById, findOrgBySlug } from "./queries.ts";
import type { WorkloadReviewer } from "./review-workload.ts";

const REFUSED: TokenValidation = { valid: false, reason: "Invalid or expired API token" };
const CACHE_SECONDS = 5;

/** Whom a token of a Kubernetes service account stands for. */
export async function validateWorkloadToken(
  db: Db<DB>,
  reviewer: WorkloadReviewer,
  token: string,
): Promise<TokenValidation> {
  const workload = await reviewer.review(token);
  if (!workload) return REFUSED;
  const { orgRef, app, expiresAt, namespace, serviceAccount } = workload;
  const orgId = idSchema("org").safeParse(orgRef).data;
  const org = orgId ? await findOrgById(db, orgId) : await findOrgBySlug(db, orgRef);
  if (!org) {
    const reason = "the label svc.dev/org names no organization";
    reviewer.log.info({ refused: reason, namespace, serviceAccount }, "workload token refused");
    return REFUSED;
  }
  const secondsLeft = (expiresAt.getTime() - Date.now()) / 1_000;
  if (secondsLeft <= 0) return REFUSED;
  return {
    valid: true,
    kind: "workload",
    org: { id: idFromUuid("org", org.id), slug: org.slug, name: org.name },
    role: "developer",
    app,
    expires_at: expiresAt.toISOString(),
    cache_seconds: Math.min(CACHE_SECONDS, secondsLeft),
  };
}

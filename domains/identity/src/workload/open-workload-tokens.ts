import type { Db } from "@svc/platform/db";
import type { Logger } from "@svc/platform/telemetry";
import type { DB } from "../db-types.ts";
import type { WorkloadTokens } from "../validate-token.ts";
import { looksLikeWorkloadToken } from "./read-claims.ts";
import { openWorkloadReviewer, type WorkloadConfig } from "./settings.ts";
import { validateWorkloadToken } from "./validate-workload-token.ts";

/** Undefined where workload identity is switched off: its tokens are then refused as any other text is. */
export function openWorkloadTokens(db: Db<DB>, config: WorkloadConfig, log: Logger): WorkloadTokens | undefined {
  const reviewer = openWorkloadReviewer(config, log);
  if (!reviewer) return undefined;
  return {
    isWorkloadToken: looksLikeWorkloadToken,
    validate: (token) => validateWorkloadToken(db, reviewer, token),
  };
}

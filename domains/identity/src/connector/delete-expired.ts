import type { Db } from "@svc/platform/db";
import type { DB } from "../db-types.ts";
import { deleteExpiredAccessBatch } from "./artifact-queries.ts";

const BATCH = 1_000;
/** A run that never ends would hide that it is needed more often. */
const MOST_BATCHES = 100;

/** What agents left behind: codes, tokens, registrations and grants that are over. Any number may do it at once. */
export async function deleteExpiredAccess(db: Db<DB>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if (!(await deleteExpiredAccessBatch(db, BATCH))) return;
  }
}

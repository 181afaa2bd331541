import type { Db } from "@svc/platform/db";
import type { DB } from "../db-types.ts";
import { deleteExpiredBatch } from "./session-queries.ts";

const BATCH = 1_000;
/** A run that never ends would hide that it is needed more often. */
const MOST_BATCHES = 100;

/** Sessions and exchange codes that are over. Any number of processes may do it at once. */
export async function deleteExpired(db: Db<DB>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if (!(await deleteExpiredBatch(db, BATCH))) return;
  }
}

import type { Db } from "@svc/platform/db";
import { LRUCache } from "lru-cache";
import type { DB } from "./db-types.ts";
import { touchLastUsed, type UsedTable } from "./queries/touch-last-used.ts";

const EVERY_MS = 60_000;
const noted = new LRUCache<string, true>({ max: 10_000, ttl: EVERY_MS });

/** "Last used" to the minute. Nobody waits for it, and a write that fails is made up for by the next use. */
export function noteUse(db: Db<DB>, table: UsedTable, id: string, lastUsedAt: Date | null): void {
  if (noted.has(id) || (lastUsedAt && Date.now() - lastUsedAt.getTime() < EVERY_MS)) return;
  noted.set(id, true);
  touchLastUsed(db, table, id).catch(() => noted.delete(id));
}

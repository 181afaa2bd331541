import { deleteExpired, deleteExpiredAccess } from "@svc/identity";
import { type AnyDb, maintainDailyPartitions } from "@svc/platform/db";
import type { Logger } from "@svc/platform/telemetry";

const EVERY_MS = 3_600_000;

/**
 * Identity's database may be elsewhere and has no job engine. What it needs each hour can be done by every process
 * at once, so a timer is enough.
 */
export function keepHouse(db: AnyDb, log: Logger): () => Promise<void> {
  const run = async (): Promise<void> => {
    for (const task of [maintainDailyPartitions, deleteExpired, deleteExpiredAccess]) {
      await task(db).catch((error: unknown) => log.warn({ reason: String(error) }, "upkeep failed"));
    }
  };
  void run();
  const timer = setInterval(() => void run(), EVERY_MS);
  return async () => clearInterval(timer);
}

import { PgBoss, type QueueOptions } from "pg-boss";
import { DEAD_LETTERS, HEARTBEAT_SECONDS, type AnyJob } from "./define-job.ts";

const POLICY = { one_active: "singleton", one_at_all: "exclusive" } as const;

/**
 * Brings the engine's schema and the queues up to date. Runs as the owner, beside the domains' migrations:
 * services only use what is there.
 */
export async function migrateJobs(url: string, definitions: AnyJob[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: "svc-migrate",
    max: 2,
    supervise: false,
    schedule: false,
  });
  const failures: unknown[] = [];
  boss.on("error", (error) => failures.push(error));
  await boss.start();
  try {
    await ensureQueue(boss, DEAD_LETTERS, { retryLimit: 0, retentionSeconds: 90 * 86_400 }, {});
    for (const definition of definitions) {
      await ensureQueue(boss, definition.name, queueOptions(definition), {
        policy: definition.exclusion ? POLICY[definition.exclusion] : "standard",
        partition: definition.ownTable ?? false,
      });
    }
    await waitForIndexBuilds(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
  if (failures.length > 0) throw new Error("the job engine could not be brought up to date", { cause: failures[0] });
}

async function ensureQueue(
  boss: PgBoss,
  name: string,
  options: QueueOptions & { deadLetter?: string },
  fixed: { policy?: string; partition?: boolean },
): Promise<void> {
  const existing = await boss.getQueue(name);
  if (!existing) return boss.createQueue(name, { ...options, ...fixed });
  if (fixed.policy && existing.policy !== fixed.policy) {
    throw new Error(`the queue ${name} exists with another exclusion: give the changed job a new name`);
  }
  await boss.updateQueue(name, options);
}

function queueOptions({ retry, timeoutSeconds }: AnyJob): QueueOptions & { deadLetter: string } {
  return {
    retryLimit: retry.limit,
    retryDelay: retry.delaySeconds,
    retryBackoff: true,
    retryDelayMax: retry.maxDelaySeconds,
    // Each job keeps to its own limit; the engine's is for a worker that no longer keeps to anything.
    expireInSeconds: timeoutSeconds + 5,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 86_400,
    deadLetter: DEAD_LETTERS,
  };
}

/** An upgrade builds indexes in the background, and only while a process that may migrate is there. */
async function waitForIndexBuilds(boss: PgBoss): Promise<void> {
  const giveUpAt = Date.now() + 300_000;
  while (Date.now() < giveUpAt) {
    const entries = await boss.getBamEntries();
    if (entries.every(({ status }) => status === "completed" || status === "failed")) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("the job engine's index builds did not end within 5 minutes; run the migration again");
}

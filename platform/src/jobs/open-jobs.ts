import { type ConstructorOptions, fromKysely, PgBoss } from "pg-boss";
import type { AnyDb } from "../db/index.ts";
import { type Logger, observeGauge } from "../telemetry/index.ts";
import { createJobQueue, type JobQueue } from "./enqueue.ts";
import { createWorkers, type Workers } from "./work.ts";

/** For a service that only asks for work: uses its own pool, watches nothing, and starts whether or not Postgres is there. */
export function openJobQueue(db: AnyDb, log: Logger): JobQueue & { close(): Promise<void> } {
  const boss = new PgBoss({ db: fromKysely(db), supervise: false, schedule: false, migrate: false });
  boss.on("error", (error) => log.error({ err: error }, "job engine"));
  const queue = createJobQueue(boss);
  let starting: Promise<unknown> | undefined;
  const started = async (): Promise<JobQueue> => {
    starting ??= boss.start();
    try {
      await starting;
    } catch (error) {
      // The next one tries again.
      starting = undefined;
      throw error;
    }
    return queue;
  };
  return {
    enqueue: async (...args) => (await started()).enqueue(...args),
    enqueueUnlessPresent: async (...args) => (await started()).enqueueUnlessPresent(...args),
    enqueueMany: async (...args) => (await started()).enqueueMany(...args),
    cancel: async (...args) => (await started()).cancel(...args),
    close: async () => {
      if (starting) await boss.stop({ graceful: false });
    },
  };
}

interface JobEngineOptions {
  url: string;
  log: Logger;
  maxConnections?: number;
}

export interface JobEngine extends JobQueue, Workers {
  /** Lets running jobs end, up to the limit; what is cut off is retried elsewhere after its heartbeat. */
  close(timeoutMs: number): Promise<void>;
}

/** How a worker drives the engine; a measurement against the bare engine drives it the same way. */
export const ENGINE_SETTINGS = {
  migrate: false,
  // Defaults look once a minute; a dead worker is to be noticed within 15 s of its last heartbeat.
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  maintenanceIntervalSeconds: 300,
  // Rebuilding an index needs its owner; bloat is still reported as a warning.
  reindex: false,
  cronWorkerIntervalSeconds: 1,
  cronMonitorIntervalSeconds: 10,
} satisfies ConstructorOptions;

/** For a worker: runs jobs, fires schedules, notices workers that died. */
export async function openJobEngine({ url, log, maxConnections = 10 }: JobEngineOptions): Promise<JobEngine> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: "svc-jobs",
    max: maxConnections,
    connectionTimeoutMillis: 2_000,
    ...ENGINE_SETTINGS,
  });
  boss.on("error", (error) => log.error({ err: error }, "job engine"));
  boss.on("warning", (warning) => log.warn({ warning }, "job engine"));
  await boss.start();
  observeGauge("svc_jobs", "Jobs by queue and state.", async () => {
    const queues = await boss.getQueues();
    return queues.flatMap(({ name, readyCount, deferredCount, activeCount, failedCount }) =>
      Object.entries({ ready: readyCount, deferred: deferredCount, active: activeCount, failed: failedCount }).map(
        ([state, value]) => ({ value, labels: { queue: name, state } }),
      ),
    );
  });

  return {
    ...createJobQueue(boss),
    ...createWorkers(boss, log),
    close: (timeoutMs) => boss.stop({ graceful: true, timeout: timeoutMs }),
  };
}

import { propagation, ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Job, JobResult, PgBoss, WorkOptions as EngineWorkOptions } from "pg-boss";
import { counter, durationHistogram, type Logger } from "../telemetry/index.ts";
import { type AnyJob, DEAD_LETTERS, type JobDefinition, type StoredJob } from "./define-job.ts";

export interface JobContext {
  id: string;
  /** 0 at first. Effects outside the queue are fenced by it: a later attempt has a higher number. */
  attempt: number;
  /** Aborted when the job was cancelled, timed out or was given to another worker. */
  signal: AbortSignal;
  log: Logger;
}

interface WorkOptions {
  /** Fetched together, run side by side, settled one by one. */
  batchSize?: number;
  /** Batches at a time in this process. */
  concurrency?: number;
  pollSeconds?: number;
}

interface Schedule<Data extends object> {
  job: JobDefinition<Data>;
  data: Data;
  cron: string;
  timezone?: string;
  /** Several schedules of one job differ by it. */
  key?: string;
}

export interface DeadLetter {
  id: string;
  queue: string;
  created_at: string;
  attempts: number;
  error: string;
}

export interface Workers {
  work<Data extends object>(
    job: JobDefinition<Data>,
    handler: (data: Data, context: JobContext) => Promise<void>,
    options?: WorkOptions,
  ): Promise<void>;
  /** For handlers that do a whole batch at once: one statement settles all of it, and one failure fails all of it. */
  workBatch<Data extends object>(
    job: JobDefinition<Data>,
    handler: (batch: Data[]) => Promise<void>,
    options?: WorkOptions,
  ): Promise<void>;
  /** An occurrence missed while nothing ran is made up for once. */
  schedule<Data extends object>(schedule: Schedule<Data>): Promise<void>;
  unschedule(job: AnyJob, key?: string): Promise<void>;
  listDeadLetters(limit: number): Promise<DeadLetter[]>;
  /** Gives dead letters another round of attempts in the queue they came from. */
  redriveDeadLetters(queue: string, limit: number): Promise<number>;
}

/** Thrown by a handler for which trying again is pointless: straight to the dead letters. */
export class PermanentJobFailure extends Error {
  override name = "PermanentJobFailure";
}

const runs = counter("svc_job_runs_total", "Attempts by queue and outcome.");
const durations = durationHistogram("svc_job_duration_seconds", "Time an attempt took.");

function engineOptions({ batchSize = 20, concurrency = 2, pollSeconds = 1 }: WorkOptions = {}): EngineWorkOptions {
  return {
    batchSize,
    localConcurrency: concurrency,
    pollingIntervalSeconds: pollSeconds,
    burstWhenBatchFull: true,
    // How soon a handler learns that its job was cancelled or taken over.
    heartbeatRefreshSeconds: 2,
  };
}

export function createWorkers(boss: PgBoss, log: Logger): Workers {
  return {
    work: async (job, handler, options) => {
      await boss.work<StoredJob, JobResult[], { perJobResults: true }>(
        job.name,
        { ...engineOptions(options), perJobResults: true },
        (batch) => Promise.all(batch.map((stored) => runOne(job, stored, handler, log))),
      );
    },
    workBatch: async (job, handler, options) => {
      await boss.work<StoredJob>(job.name, engineOptions(options), async (batch) => {
        await handler(batch.map((stored) => job.data.parse(stored.data.data)));
        runs.add({ queue: job.name, outcome: "completed" }, batch.length);
      });
    },
    schedule: async ({ job, data, cron, timezone = "UTC", key = "" }) => {
      await boss.schedule(job.name, cron, { data: job.data.parse(data) }, { tz: timezone, key, missed: "once" });
    },
    unschedule: (job, key) => boss.unschedule(job.name, key),
    listDeadLetters: async (limit) => {
      const { rows } = await boss.getDb().executeSql(
        `select id, coalesce(source_name, '') as queue, created_on, source_retry_count, source_output
           from pgboss.job where name = $1 and state = 'created' order by created_on desc limit $2`,
        [DEAD_LETTERS, limit],
      );
      return rows.map(toDeadLetter);
    },
    redriveDeadLetters: (queue, limit) => boss.redrive(DEAD_LETTERS, { sourceName: queue, limit }),
  };
}

async function runOne<Data extends object>(
  job: JobDefinition<Data>,
  stored: Job<StoredJob>,
  handler: (data: Data, context: JobContext) => Promise<void>,
  log: Logger,
): Promise<JobResult> {
  const startedAt = performance.now();
  const asked = propagation.extract(ROOT_CONTEXT, stored.data);
  return trace.getTracer("svc").startActiveSpan(`job ${job.name}`, {}, asked, async (span) => {
    const jobLog = log.child({ job: job.name, job_id: stored.id, attempt: stored.retryCount });
    const settle = (status: JobResult["status"], output?: object): JobResult => {
      runs.add({ queue: job.name, outcome: status });
      durations((performance.now() - startedAt) / 1_000, { queue: job.name });
      return { id: stored.id, status, ...(output && { output }) };
    };
    try {
      const data = job.data.parse(stored.data.data);
      const context = { id: stored.id, attempt: stored.retryCount, log: jobLog };
      await withinTimeout(job.timeoutSeconds, stored.signal, (signal) => handler(data, { ...context, signal }));
      return settle("completed");
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      jobLog.warn({ err: error }, "job attempt failed");
      const output = { message: error instanceof Error ? error.message : String(error) };
      return settle(error instanceof PermanentJobFailure ? "deadletter" : "failed", output);
    } finally {
      span.end();
    }
  });
}

/** The engine's own limit ends a whole batch, and would fail those of it that succeeded long ago. */
async function withinTimeout(
  seconds: number,
  outer: AbortSignal,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`took longer than ${seconds} s`);
    timedOut.reject(error);
    limit.abort(error);
  }, seconds * 1_000);
  try {
    await Promise.race([act(AbortSignal.any([outer, limit.signal])), timedOut.promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface DeadLetterRow {
  id: string;
  queue: string;
  created_on: Date;
  source_retry_count: number | null;
  source_output: { message?: string; value?: { message?: string } } | null;
}

function toDeadLetter(row: DeadLetterRow): DeadLetter {
  return {
    id: row.id,
    queue: row.queue,
    created_at: row.created_on.toISOString(),
    attempts: (row.source_retry_count ?? 0) + 1,
    error: (row.source_output?.message ?? row.source_output?.value?.message ?? "").slice(0, 500),
  };
}

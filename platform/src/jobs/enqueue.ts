import { context, propagation } from "@opentelemetry/api";
import { fromKysely, type JobInsert, type PgBoss } from "pg-boss";
import type { AnyDb } from "../db/index.ts";
import { counter } from "../telemetry/index.ts";
import type { AnyJob, JobDefinition, StoredJob } from "./define-job.ts";

interface EnqueueOptions {
  startAfter?: Date;
}

export interface JobQueue {
  /** Asks for work in the caller's transaction: it happens if, and only if, the transaction commits. Throws JobRefused. */
  enqueue<Data extends object>(
    tx: AnyDb,
    job: JobDefinition<Data>,
    data: Data,
    options?: EnqueueOptions,
  ): Promise<string>;
  /** The same, where a job for this key may be there already and that is fine: then the answer is undefined. */
  enqueueUnlessPresent<Data extends object>(
    tx: AnyDb,
    job: JobDefinition<Data>,
    data: Data,
    options?: EnqueueOptions,
  ): Promise<string | undefined>;
  /** Many at once in one statement, all or none. */
  enqueueMany<Data extends object>(tx: AnyDb, job: JobDefinition<Data>, data: Data[]): Promise<string[]>;
  /** Takes back a job; a running handler's signal is aborted within about two seconds. */
  cancel(tx: AnyDb, job: AnyJob, id: string): Promise<void>;
}

/** The engine answers a refused send with null, easily overlooked; here it always surfaces. */
export class JobRefused extends Error {
  constructor(name: string) {
    super(`${name} was not enqueued: a job with its key is already waiting or running`);
    this.name = "JobRefused";
  }
}

const refusals = counter("svc_jobs_refused_total", "Jobs not enqueued because their key was taken.");

export function createJobQueue(boss: PgBoss): JobQueue {
  const send: JobQueue["enqueueUnlessPresent"] = async (tx, job, data, options = {}) => {
    const id = await boss.send(job.name, stored(job, data), {
      db: fromKysely(tx),
      ...keyOf(job, data),
      ...(options.startAfter && { startAfter: options.startAfter }),
    });
    if (id === null) refusals.add({ queue: job.name });
    return id ?? undefined;
  };

  return {
    enqueueUnlessPresent: send,
    enqueue: async (tx, job, data, options) => {
      const id = await send(tx, job, data, options);
      if (id === undefined) throw new JobRefused(job.name);
      return id;
    },
    enqueueMany: async (tx, job, data) => {
      if (data.length === 0) return [];
      const inserts = data.map((item): JobInsert => ({ data: stored(job, item), ...keyOf(job, item) }));
      const insertAll = async (tx: AnyDb): Promise<string[]> => {
        const db = fromKysely(tx);
        const ids = (await boss.insert(job.name, inserts, { db, returnId: true })) ?? [];
        if (ids.length === data.length) return ids;
        refusals.add({ queue: job.name }, data.length - ids.length);
        // The caller may go on with its transaction, and must not find a part of the jobs in it.
        if (ids.length > 0) await boss.deleteJob(job.name, ids, { db });
        throw new JobRefused(job.name);
      };
      return tx.isTransaction ? insertAll(tx) : tx.transaction().execute(insertAll);
    },
    cancel: async (tx, job, id) => {
      await boss.cancel(job.name, id, { db: fromKysely(tx) });
    },
  };
}

function stored<Data extends object>(job: JobDefinition<Data>, data: Data): StoredJob {
  const trace: { traceparent?: string } = {};
  propagation.inject(context.active(), trace);
  return { data: job.data.parse(data), ...trace };
}

function keyOf<Data extends object>(job: JobDefinition<Data>, data: Data): { singletonKey?: string } {
  return job.key ? { singletonKey: job.key(data) } : {};
}

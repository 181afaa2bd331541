import { type AnyDb, openDatabase } from "@svc/platform/db";
import { defineJob, ENGINE_SETTINGS, type JobEngine, migrateJobs, openJobEngine } from "@svc/platform/jobs";
import { createEmptyDatabase, silentLogger, waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { z } from "zod";
import { type Bench, type BenchCase, compare, rateOf } from "./harness.ts";

const JOBS = 10_000;
const SINGLE_SENDS = 1_000;
const BULK = 1_000;
const ROUNDS = 5;
const GOAL = 0.8;

const job = defineJob({
  name: "bench.deliver",
  data: z.strictObject({ n: z.int() }),
  retry: { limit: 2, delaySeconds: 1, maxDelaySeconds: 60 },
  timeoutSeconds: 60,
});

const EACH = { batchSize: 20, concurrency: 10 };
const BATCH = { batchSize: 200, concurrency: 4 };

export const jobsBench: Bench = {
  summary: `our job kit against pg-boss driven directly with the same settings, ${JOBS} jobs that do nothing`,
  run: async (report) => {
    const empty = await createEmptyDatabase();
    await migrateJobs(empty.url, [job]);
    const database = openDatabase<unknown>({ url: empty.url, name: "bench", log: silentLogger() });
    try {
      return await runCases(empty.url, database.db as AnyDb, report);
    } finally {
      await database.close();
      await empty.drop();
    }
  },
};

async function runCases(url: string, db: AnyDb, report: (line: string) => void): Promise<BenchCase[]> {
  const withEngine = async <T>(use: (engine: JobEngine) => Promise<T>): Promise<T> => {
    const engine = await openJobEngine({ url, log: silentLogger() });
    try {
      return await use(engine);
    } finally {
      await engine.close(5_000);
    }
  };
  const withBoss = async <T>(use: (boss: PgBoss) => Promise<T>): Promise<T> => {
    const boss = new PgBoss({ connectionString: url, max: 10, ...ENGINE_SETTINGS });
    boss.on("error", (error) => report(String(error)));
    await boss.start();
    try {
      return await use(boss);
    } finally {
      await boss.stop({ graceful: true, timeout: 5_000 });
    }
  };
  const processed = async (startWork: () => Promise<unknown>): Promise<number> =>
    rateOf(JOBS, async () => {
      await startWork();
      await waitUntil(async () => (await unfinished(db)) === 0, 120_000, "an empty queue");
    });

  return [
    await compare(
      {
        case: "process, settled one by one",
        unit: "jobs/s",
        goal: GOAL,
        rounds: ROUNDS,
        ours: async () => {
          await fill(db, JOBS);
          return withEngine((engine) => processed(() => engine.work(job, async () => undefined, EACH)));
        },
        floor: async () => {
          await fill(db, JOBS);
          return withBoss((boss) =>
            processed(() =>
              boss.work(job.name, bareOptions(EACH, true), async (batch) =>
                batch.map(({ id }) => ({ id, status: "completed" as const })),
              ),
            ),
          );
        },
      },
      report,
    ),
    await compare(
      {
        case: "process, settled by the batch",
        unit: "jobs/s",
        goal: GOAL,
        rounds: ROUNDS,
        ours: async () => {
          await fill(db, JOBS);
          return withEngine((engine) => processed(() => engine.workBatch(job, async () => undefined, BATCH)));
        },
        floor: async () => {
          await fill(db, JOBS);
          return withBoss((boss) =>
            processed(() => boss.work(job.name, bareOptions(BATCH, false), async () => undefined)),
          );
        },
      },
      report,
    ),
    await compare(
      {
        case: "enqueue, one in each transaction",
        unit: "jobs/s",
        goal: GOAL,
        rounds: ROUNDS,
        ours: async () => {
          await fill(db, 0);
          return withEngine((engine) =>
            rateOf(SINGLE_SENDS, async () => {
              for (let n = 0; n < SINGLE_SENDS; n += 1) {
                await db.transaction().execute((tx) => engine.enqueue(tx, job, { n }));
              }
            }),
          );
        },
        floor: async () => {
          await fill(db, 0);
          return withBoss((boss) => withClient(url, (client) => rateOf(SINGLE_SENDS, () => sendBare(boss, client))));
        },
      },
      report,
    ),
    await compare(
      {
        case: "enqueue in bulk",
        unit: "jobs/s",
        goal: GOAL,
        rounds: ROUNDS,
        ours: async () => {
          await fill(db, 0);
          const batches = Array.from({ length: JOBS / BULK }, () => Array.from({ length: BULK }, (_, n) => ({ n })));
          return withEngine((engine) =>
            rateOf(JOBS, async () => {
              for (const batch of batches) await db.transaction().execute((tx) => engine.enqueueMany(tx, job, batch));
            }),
          );
        },
        floor: async () => {
          await fill(db, 0);
          const batches = Array.from({ length: JOBS / BULK }, () =>
            Array.from({ length: BULK }, (_, n) => ({ data: { data: { n } } })),
          );
          return withBoss((boss) =>
            rateOf(JOBS, async () => {
              for (const batch of batches) await boss.insert(job.name, batch, { returnId: true });
            }),
          );
        },
      },
      report,
    ),
  ];
}

function bareOptions<P extends boolean>(shape: typeof EACH, perJobResults: P) {
  return {
    batchSize: shape.batchSize,
    localConcurrency: shape.concurrency,
    pollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    heartbeatRefreshSeconds: 2,
    perJobResults,
  };
}

async function sendBare(boss: PgBoss, client: pg.Client): Promise<void> {
  const transaction = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
  for (let n = 0; n < SINGLE_SENDS; n += 1) {
    await client.query("begin");
    await boss.send(job.name, { data: { n } }, { db: transaction });
    await client.query("commit");
  }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The same table for both: no dead rows, no jobs of the round before, statistics fresh. */
async function fill(db: AnyDb, jobs: number): Promise<void> {
  await sql`truncate pgboss.job cascade`.execute(db);
  if (jobs > 0) {
    await sql`
      insert into pgboss.job (name, data, retry_limit, retry_delay, expire_seconds, heartbeat_seconds, policy)
      select ${sql.lit(job.name)}, jsonb_build_object('data', jsonb_build_object('n', n)), 2, 1, 60, 10, 'standard'
        from generate_series(1, ${sql.lit(jobs)}) n`.execute(db);
  }
  await sql`vacuum analyze pgboss.job`.execute(db);
}

async function unfinished(db: AnyDb): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::integer as found from (
      select 1 from pgboss.job where name = ${job.name} and state < 'completed' limit 1) as waiting`.execute(db);
  return rows[0]?.found ?? 0;
}

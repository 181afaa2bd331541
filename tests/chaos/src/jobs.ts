import { setTimeout as sleep } from "node:timers/promises";
import { type AnyDb, openDatabase } from "@svc/platform/db";
import { migrateJobs, openJobQueue } from "@svc/platform/jobs";
import { createEmptyDatabase, silentLogger, waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import { chaosJob } from "./chaos-job.ts";
import { type ChaosResult, type ChaosRun, randomBetween, startVictim, type Victim } from "./harness.ts";

const JOBS = 2_000;
const WORKERS = 3;
const KILLS = 10;
/** A worker that sleeps past its heartbeat and wakes up believing that its jobs are still its own. */
const FREEZES = 2;
const FREEZE_MS = 14_000;
/** The engine's least heartbeat, and what we allow on top of it. */
const LONGEST_RESUME_SECONDS = 10 + 15;

export const jobsChaos: ChaosRun = {
  summary: `${JOBS} jobs on ${WORKERS} workers, one killed ${KILLS} times and one frozen ${FREEZES} times meanwhile`,
  run: async (report) => {
    const empty = await createEmptyDatabase();
    await migrateJobs(empty.url, [chaosJob]);
    const database = openDatabase<unknown>({ url: empty.url, name: "chaos", log: silentLogger() });
    try {
      return await breakWorkers(empty.url, database.db as AnyDb, report);
    } finally {
      await database.close();
      await empty.drop();
    }
  },
};

async function breakWorkers(url: string, db: AnyDb, report: (line: string) => void): Promise<ChaosResult> {
  await watchCompletions(db);
  const queue = openJobQueue(db, silentLogger());
  const data = Array.from({ length: JOBS }, (_, n) => ({ n }));
  await db.transaction().execute((tx) => queue.enqueueMany(tx, chaosJob, data));
  await queue.close();

  const hire = (): Victim => startVictim("jobs-worker.ts", { CHAOS_DATABASE_URL: url });
  const workers = Array.from({ length: WORKERS }, hire);
  try {
    let faults = 0;
    const thaws: Promise<void>[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      await sleep(randomBetween(800, 1_800));
      const slot = round % WORKERS;
      const worker = workers[slot] as Victim;
      await waitUntil(async () => (await runningAttempts(db, worker.pid)) > 0, 30_000, "a worker at work");
      if (round % 4 === 1 && thaws.length < FREEZES) {
        thaws.push(freeze(workers[(slot + 1) % WORKERS] as Victim));
        faults += 1;
      }
      await noteKill(db, worker.pid);
      await worker.kill();
      faults += 1;
      report(`fault ${faults}: ${await countEffects(db)} of ${JOBS} done`);
      workers[slot] = hire();
    }
    await Promise.all(thaws);
    await waitUntil(async () => (await unfinishedJobs(db)) === 0, 180_000, "the end of all jobs");
    return await judge(db, faults);
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
  }
}

async function freeze(worker: Victim): Promise<void> {
  worker.signal("SIGSTOP");
  await sleep(FREEZE_MS);
  worker.signal("SIGCONT");
}

/** Every change of a job's row to `completed`, or of a row that already was, leaves a trace. */
async function watchCompletions(db: AnyDb): Promise<void> {
  for (const statement of [
    "create schema chaos",
    "create table chaos.attempts (n int, attempt int, pid int, started_at timestamptz default clock_timestamp())",
    "create table chaos.effects (n int, attempt int, at timestamptz default clock_timestamp())",
    "create table chaos.kills (pid int primary key, at timestamptz default clock_timestamp())",
    "create table chaos.completions (id uuid, attempt int, overwrote boolean)",
    `create function chaos.note() returns trigger language plpgsql as $$ begin
       if new.state = 'completed' or old.state = 'completed' then
         insert into chaos.completions values (new.id, new.retry_count, old.state = 'completed');
       end if;
       return new;
     end $$`,
    "create trigger note after update on pgboss.job for each row execute function chaos.note()",
  ]) {
    await sql.raw(statement).execute(db);
  }
}

async function judge(db: AnyDb, faults: number): Promise<ChaosResult> {
  const { rows } = await sql<Omit<ChaosResult, "faults" | "expected" | "holds">>`
    select (select count(distinct n)::int from chaos.effects) as seen,
           (select count(*)::int from generate_series(0, ${JOBS - 1}) n where n not in (select n from chaos.effects)) as lost,
           (select count(*)::int from (
              select id from chaos.completions group by id having count(*) > 1 or bool_or(overwrote)) twice) as doubled,
           (select count(*)::int from pgboss.job where name = ${chaosJob.name} and state <> 'completed') as leaked,
           (select coalesce(max(extract(epoch from resumed.started_at - kills.at)), 0)::float
              from chaos.kills join chaos.attempts killed using (pid)
              cross join lateral (
                select started_at from chaos.attempts later
                 where later.n = killed.n and later.attempt > killed.attempt order by attempt limit 1) resumed
             where not exists (
                select from chaos.effects where effects.n = killed.n and effects.attempt = killed.attempt)) as longest_gap_s
  `.execute(db);
  const found = rows[0];
  if (!found) throw new Error("nothing to judge");
  const { seen, lost, doubled, leaked } = found;
  const longest_gap_s = Math.round(found.longest_gap_s * 10) / 10;
  const holds =
    seen === JOBS && lost + doubled + leaked === 0 && longest_gap_s > 0 && longest_gap_s <= LONGEST_RESUME_SECONDS;
  return { faults, expected: JOBS, seen, lost, doubled, leaked, longest_gap_s, holds };
}

async function noteKill(db: AnyDb, pid: number): Promise<void> {
  await sql`insert into chaos.kills (pid) values (${pid})`.execute(db);
}

async function runningAttempts(db: AnyDb, pid: number): Promise<number> {
  return count(
    db,
    sql`
    chaos.attempts where pid = ${pid}
      and not exists (select from chaos.effects where effects.n = attempts.n and effects.attempt = attempts.attempt)`,
  );
}

async function countEffects(db: AnyDb): Promise<number> {
  return count(db, sql`(select distinct n from chaos.effects) as done`);
}

async function unfinishedJobs(db: AnyDb): Promise<number> {
  return count(db, sql`pgboss.job where name = ${chaosJob.name} and state < 'completed'`);
}

async function count(db: AnyDb, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(db);
  return rows[0]?.n ?? 0;
}

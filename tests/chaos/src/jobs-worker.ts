/* A worker to be killed: notes each attempt when it begins and the effect when it ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { type AnyDb, openDatabase } from "@svc/platform/db";
import { openJobEngine } from "@svc/platform/jobs";
import { silentLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { chaosJob } from "./chaos-job.ts";
import { randomBetween } from "./harness.ts";

const url = process.env["CHAOS_DATABASE_URL"] ?? "";
const log = silentLogger();
const db = openDatabase<unknown>({ url, name: "chaos", log, maxConnections: 4 }).db as AnyDb;
const engine = await openJobEngine({ url, log, maxConnections: 4 });

await engine.work(
  chaosJob,
  async ({ n }, { attempt }) => {
    await sql`insert into chaos.attempts (n, attempt, pid) values (${n}, ${attempt}, ${process.pid})`.execute(db);
    await sleep(randomBetween(100, 500));
    await sql`insert into chaos.effects (n, attempt) values (${n}, ${attempt})`.execute(db);
  },
  { batchSize: 10, concurrency: 2, pollSeconds: 0.5 },
);

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMigratedDatabase, silentLogger } from "../testing/index.ts";
import { type AnyJob, defineJob } from "./define-job.ts";
import { migrateJobs } from "./migrate-jobs.ts";
import { openJobEngine, openJobQueue } from "./open-jobs.ts";

const base = defineJob({
  name: "test.base",
  data: z.strictObject({ n: z.int() }),
  exclusion: "one_active",
  retry: { limit: 3, delaySeconds: 5, maxDelaySeconds: 60 },
  timeoutSeconds: 30,
});
const own: AnyJob = { ...base, name: "test.own", exclusion: undefined, ownTable: true };

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
beforeAll(async () => {
  database = await createMigratedDatabase([], (url) => migrateJobs(url, [base, own]));
});
afterAll(() => database.drop());

async function rowsOf(statement: string): Promise<unknown[]> {
  return (await sql.raw(statement).execute(database.db)).rows;
}

describe("the queues", () => {
  it("are made as the jobs are defined, with one for dead letters", async () => {
    const rows = await rowsOf(
      `select name, policy, retry_limit, retry_delay, retry_delay_max, expire_seconds, dead_letter, partition
         from pgboss.queue where name !~ '^__' order by name`,
    );
    const settings = {
      retry_limit: 3,
      retry_delay: 5,
      retry_delay_max: 60,
      expire_seconds: 35,
      dead_letter: "dead_letters",
    };
    expect(rows).toEqual([
      expect.objectContaining({ name: "dead_letters", retry_limit: 0, dead_letter: null }),
      { name: "test.base", policy: "singleton", partition: false, ...settings },
      { name: "test.own", policy: "standard", partition: true, ...settings },
    ]);
  });

  it("take over changed attempts and limits at the next migration", async () => {
    const changed = { ...base, retry: { limit: 7, delaySeconds: 6, maxDelaySeconds: 61 }, timeoutSeconds: 31 };
    await migrateJobs(database.url, [changed, own]);
    expect(
      await rowsOf(
        "select retry_limit, retry_delay, retry_delay_max, expire_seconds from pgboss.queue where name = 'test.base'",
      ),
    ).toEqual([{ retry_limit: 7, retry_delay: 6, retry_delay_max: 61, expire_seconds: 36 }]);
  });

  it.each(["one_at_all", undefined] as const)("do not take over another exclusion: %s", async (exclusion) => {
    await expect(migrateJobs(database.url, [{ ...base, exclusion }])).rejects.toThrow(
      "the queue test.base exists with another exclusion: give the changed job a new name",
    );
    expect(await rowsOf("select policy from pgboss.queue where name = 'test.base'")).toEqual([{ policy: "singleton" }]);
  });
});

describe("a service", () => {
  it("does not work on a database whose job engine was never migrated", async () => {
    const empty = await createMigratedDatabase([]);
    await expect(openJobEngine({ url: empty.url, log: silentLogger() })).rejects.toThrow();
    const queue = openJobQueue(empty.db, silentLogger());
    await expect(queue.enqueue(empty.db, base, { n: 1 })).rejects.toThrow();
    await queue.close();
    await empty.drop();
  });
});

describe("a schedule", () => {
  const schedules = (): Promise<unknown[]> =>
    rowsOf("select name, key, cron, timezone, data, options ->> 'missed' as missed from pgboss.schedule order by key");

  it("is stored with its time zone, changed by its key and taken back by it", async () => {
    const engine = await openJobEngine({ url: database.url, log: silentLogger() });
    try {
      await engine.schedule({ job: base, data: { n: 1 }, cron: "0 3 * * *", timezone: "Europe/Berlin" });
      await engine.schedule({ job: base, data: { n: 2 }, cron: "5 * * * *", key: "hourly" });
      await engine.schedule({ job: base, data: { n: 3 }, cron: "6 * * * *", key: "hourly" });
      expect(await schedules()).toEqual([
        {
          name: "test.base",
          key: "",
          cron: "0 3 * * *",
          timezone: "Europe/Berlin",
          data: { data: { n: 1 } },
          missed: "once",
        },
        {
          name: "test.base",
          key: "hourly",
          cron: "6 * * * *",
          timezone: "UTC",
          data: { data: { n: 3 } },
          missed: "once",
        },
      ]);
      await engine.unschedule(base, "hourly");
      expect(await schedules()).toHaveLength(1);
      await engine.unschedule(base);
      expect(await schedules()).toEqual([]);
    } finally {
      await engine.close(1_000);
    }
  });

  it("is refused with a time or a time zone that does not exist, or data that does not fit", async () => {
    const engine = await openJobEngine({ url: database.url, log: silentLogger() });
    const wrong = [
      { cron: "61 * * * *", data: { n: 1 } },
      { cron: "0 3 * * *", timezone: "Europe/Nowhere", data: { n: 1 } },
      { cron: "0 3 * * *", data: { n: "one" } as unknown as { n: number } },
    ];
    for (const schedule of wrong) await expect(engine.schedule({ job: base, ...schedule })).rejects.toThrow();
    expect(await schedules()).toEqual([]);
    await engine.close(1_000);
  });
});

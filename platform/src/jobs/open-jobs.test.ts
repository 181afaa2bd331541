import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMigratedDatabase, recordingLogger, waitUntil } from "../testing/index.ts";
import { defineJob } from "./define-job.ts";
import { migrateJobs } from "./migrate-jobs.ts";
import { openJobEngine } from "./open-jobs.ts";

const job = defineJob({
  name: "test.closing",
  data: z.strictObject({ at: z.int() }),
  retry: { limit: 2, delaySeconds: 1, maxDelaySeconds: 1 },
  timeoutSeconds: 30,
});
const oneByOne = { pollSeconds: 0.5, batchSize: 1, concurrency: 1 };
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  database = await createMigratedDatabase([], (url) => migrateJobs(url, [job]));
});
afterAll(() => database.drop());

async function states(): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state::text from pgboss.job where name = ${job.name} order by 1`.execute(database.db);
  return rows.map(({ state }) => state);
}

describe("closing a worker", () => {
  it("lets a running job end and starts no other, which the next worker then takes", async () => {
    const { log, lines } = recordingLogger();
    const first = await openJobEngine({ url: database.url, log });
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const ended: number[] = [];
    const handler = async ({ at }: { at: number }): Promise<void> => {
      started.resolve();
      await release.promise;
      ended.push(at);
    };
    await first.work(job, handler, oneByOne);
    await first.enqueueMany(database.db, job, [{ at: 1 }, { at: 2 }]);
    await started.promise;
    const closed = first.close(10_000);
    release.resolve();
    await closed;
    expect(ended).toHaveLength(1);
    expect((await states()).toSorted()).toEqual(["completed", "created"]);

    const second = await openJobEngine({ url: database.url, log });
    await second.work(job, handler, oneByOne);
    await waitUntil(async () => (await states()).every((state) => state === "completed"));
    await second.close(10_000);
    expect(ended.toSorted()).toEqual([1, 2]);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("cuts off a job that does not end in time, which is then tried again", async () => {
    const { log } = recordingLogger();
    const first = await openJobEngine({ url: database.url, log });
    const started = Promise.withResolvers<void>();
    await first.work(
      job,
      () => {
        started.resolve();
        return new Promise<never>(() => {});
      },
      oneByOne,
    );
    const id = await first.enqueue(database.db, job, { at: 3 });
    await started.promise;
    await first.close(1_000);

    const second = await openJobEngine({ url: database.url, log });
    const retried: { id: string; attempt: number }[] = [];
    await second.work(
      job,
      async (_data, context) => void retried.push({ id: context.id, attempt: context.attempt }),
      oneByOne,
    );
    await waitUntil(() => retried.length > 0, 15_000);
    await second.close(1_000);
    expect(retried).toEqual([{ id, attempt: 1 }]);
  });
});

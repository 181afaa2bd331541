import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMigratedDatabase, silentLogger, waitUntil } from "../testing/index.ts";
import { type AnyJob, defineJob, type JobDefinition } from "./define-job.ts";
import { migrateJobs } from "./migrate-jobs.ts";
import { type JobEngine, openJobEngine } from "./open-jobs.ts";
import { type DeadLetter, PermanentJobFailure } from "./work.ts";

type Data = { key: string; at: number };
const jobs: AnyJob[] = [];

function define(act: string, more: Partial<JobDefinition<Data>> = {}): JobDefinition<Data> {
  const job = defineJob<Data>({
    name: `test.${act}`,
    data: z.strictObject({ key: z.string().max(10), at: z.int() }),
    retry: { limit: 2, delaySeconds: 1, maxDelaySeconds: 1 },
    timeoutSeconds: 30,
    ...more,
  });
  jobs.push(job);
  return job;
}

const plain = define("plain");
const perKey = define("per_key", { exclusion: "one_active", key: ({ key }) => key });
const single = define("single", { exclusion: "one_at_all", key: ({ key }) => key });
const failing = define("failing");
const hopeless = define("hopeless");
const odd = define("odd", { retry: { limit: 0, delaySeconds: 1, maxDelaySeconds: 1 } });
const cancelled = define("cancelled");
const slow = define("slow", { timeoutSeconds: 1 });
const mixed = define("mixed", { timeoutSeconds: 1 });
const batched = define("batched");
const failingBatch = define("failing_batch", { retry: { limit: 1, delaySeconds: 1, maxDelaySeconds: 1 } });
const upTo = (count: number): Data[] => Array.from({ length: count }, (_, index) => ({ key: "a", at: index + 1 }));
const quick = { pollSeconds: 0.5 };

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let engine: JobEngine;

beforeAll(async () => {
  database = await createMigratedDatabase([], (url) => migrateJobs(url, jobs));
  engine = await openJobEngine({ url: database.url, log: silentLogger() });
});
afterAll(async () => {
  await engine.close(1_000);
  await database.drop();
});

async function deadLettersOf(job: AnyJob): Promise<DeadLetter[]> {
  return (await engine.listDeadLetters(100)).filter(({ queue }) => queue === job.name);
}

// Concurrent, because each of them mostly waits for the engine's next look at its queue.
describe.concurrent("a worker", () => {
  it("runs each job once, with its data and what it needs to know", async () => {
    const seen: unknown[] = [];
    await engine.work(
      plain,
      async (data, { id, attempt, signal }) => {
        seen.push({ ...data, id, attempt, aborted: signal.aborted });
      },
      quick,
    );
    const ids = await engine.enqueueMany(database.db, plain, upTo(3));
    await waitUntil(() => seen.length >= 3);
    expect(seen).toHaveLength(3);
    const expected = ids.map((id) => expect.objectContaining({ key: "a", id, attempt: 0, aborted: false }));
    expect(seen).toEqual(expect.arrayContaining(expected));
  });

  it("runs one job at a time of each key, and those of other keys beside it", async () => {
    const running = new Map<string, number>();
    let most = 0;
    let keysAtOnce = 0;
    let done = 0;
    const release = Promise.withResolvers<void>();
    await engine.work(
      perKey,
      async ({ key }) => {
        running.set(key, (running.get(key) ?? 0) + 1);
        most = Math.max(most, ...running.values());
        keysAtOnce = Math.max(keysAtOnce, [...running.values()].filter((count) => count > 0).length);
        await release.promise;
        running.set(key, (running.get(key) ?? 0) - 1);
        done += 1;
      },
      quick,
    );
    const all = ["a", "b", "c"].flatMap((key) => [1, 2].map((at) => ({ key, at })));
    await engine.enqueueMany(database.db, perKey, all);
    await waitUntil(() => keysAtOnce === 3);
    release.resolve();
    await waitUntil(() => done === all.length);
    expect(most).toBe(1);
  });

  it("frees the key of a job that must be alone as soon as it ended", async () => {
    let done = 0;
    await engine.work(single, async () => void (done += 1), quick);
    await engine.enqueue(database.db, single, { key: "a", at: 1 });
    await waitUntil(() => done === 1);
    const again = (): Promise<string | undefined> =>
      engine.enqueueUnlessPresent(database.db, single, { key: "a", at: 2 });
    await waitUntil(async () => (await again()) !== undefined);
    await waitUntil(() => done === 2);
    expect(done).toBe(2);
  });

  it("tries again after a failure, then keeps the job as a dead letter that can be driven again", async () => {
    const attempts: number[] = [];
    let mended = false;
    await engine.work(
      failing,
      async (_data, { attempt }) => {
        attempts.push(attempt);
        if (!mended) throw new Error(`broken the ${attempt + 1}. time`);
      },
      quick,
    );
    await engine.enqueue(database.db, failing, { key: "a", at: 1 });
    await waitUntil(async () => (await deadLettersOf(failing)).length === 1, 15_000);
    expect(attempts).toEqual([0, 1, 2]);
    const [letter] = await deadLettersOf(failing);
    expect(letter).toMatchObject({ queue: "test.failing", attempts: 3, error: "broken the 3. time" });
    expect(Date.parse(letter?.created_at ?? "")).toBeGreaterThan(Date.now() - 60_000);

    mended = true;
    expect(await engine.redriveDeadLetters(failing.name, 10)).toBe(1);
    await waitUntil(() => attempts.length === 4);
    expect(attempts).toEqual([0, 1, 2, 0]);
    expect(await deadLettersOf(failing)).toEqual([]);
  });

  it("gives up at once on a failure that is permanent, whatever happens to the jobs beside it", async () => {
    const seen: number[] = [];
    await engine.work(
      hopeless,
      async ({ at }) => {
        seen.push(at);
        if (at === 2) throw new PermanentJobFailure("the app was deleted");
      },
      quick,
    );
    await engine.enqueueMany(database.db, hopeless, upTo(3));
    await waitUntil(async () => (await deadLettersOf(hopeless)).length > 0);
    expect(await deadLettersOf(hopeless)).toMatchObject([{ attempts: 1, error: "the app was deleted" }]);
    expect(seen.toSorted()).toEqual([1, 2, 3]);
  });

  it("does not hand a job to its handler whose stored data does not fit, and keeps it as a dead letter", async () => {
    const careless = { ...odd, data: z.strictObject({ key: z.string(), at: z.string() }) } as unknown as AnyJob;
    let handled = 0;
    await engine.enqueue(database.db, careless, { key: "a", at: "soon" });
    await engine.work(odd, async () => void (handled += 1), quick);
    await waitUntil(async () => (await deadLettersOf(odd)).length === 1);
    expect((await deadLettersOf(odd))[0]?.error).toContain("expected number");
    expect(handled).toBe(0);
  });

  it("tells a running handler that its job was cancelled", async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    await engine.work(
      cancelled,
      async (_data, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        started.resolve();
        await aborted.promise;
      },
      quick,
    );
    const id = await engine.enqueue(database.db, cancelled, { key: "a", at: 1 });
    await started.promise;
    const cancelledAt = performance.now();
    await engine.cancel(database.db, cancelled, id);
    await aborted.promise;
    expect(performance.now() - cancelledAt).toBeLessThan(5_000);
  });

  it("ends an attempt that takes too long, tells its handler, and tries again", async () => {
    const reasons: boolean[] = [];
    const done = Promise.withResolvers<number>();
    await engine.work(
      slow,
      async (_data, { attempt, signal }) => {
        if (attempt > 0) return done.resolve(attempt);
        await once(signal, "abort");
        reasons.push(signal.aborted);
      },
      quick,
    );
    await engine.enqueue(database.db, slow, { key: "a", at: 1 });
    expect(await done.promise).toBe(1);
    expect(reasons).toEqual([true]);
  });

  it("does not run a job again that succeeded beside one that took too long", async () => {
    const seen: string[] = [];
    await engine.enqueueMany(database.db, mixed, upTo(2));
    await engine.work(
      mixed,
      async ({ at }, { attempt, signal }) => {
        seen.push(`${at}, attempt ${attempt}`);
        if (at === 2 && attempt === 0) await once(signal, "abort");
      },
      quick,
    );
    await waitUntil(() => seen.includes("2, attempt 1"));
    expect(seen.toSorted()).toEqual(["1, attempt 0", "2, attempt 0", "2, attempt 1"]);
  });

  it("can take a whole batch at once", async () => {
    const batches: number[][] = [];
    await engine.enqueueMany(database.db, batched, upTo(5));
    await engine.workBatch(batched, async (batch) => void batches.push(batch.map(({ at }) => at)), {
      ...quick,
      batchSize: 3,
      concurrency: 1,
    });
    await waitUntil(() => batches.flat().length === 5);
    expect(batches.map(({ length }) => length)).toEqual([3, 2]);
    expect(batches.flat().toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  it("tries a batch again as a whole when it fails, and keeps all of it as dead letters in the end", async () => {
    const sizes: number[] = [];
    await engine.enqueueMany(database.db, failingBatch, upTo(2));
    await engine.workBatch(
      failingBatch,
      async (batch) => {
        sizes.push(batch.length);
        throw new Error("no batch today");
      },
      { ...quick, concurrency: 1 },
    );
    await waitUntil(async () => (await deadLettersOf(failingBatch)).length === 2);
    expect(sizes).toEqual([2, 2]);
    expect((await deadLettersOf(failingBatch)).map(({ error }) => error)).toEqual(["no batch today", "no batch today"]);
  });
});

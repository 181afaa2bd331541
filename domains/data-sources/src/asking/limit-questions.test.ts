import type { Id } from "@svc/contract";
import { type Cache, openCache } from "@svc/platform/cache";
import type { AppError } from "@svc/platform/errors";
import { newId } from "@svc/platform/ids";
import { type PrivateRedis, silentLogger, startPrivateRedis, waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createQuestionLimiter, type QuestionLimiter } from "./limit-questions.ts";

let redis: PrivateRedis;
let cache: Cache;
let limiter: QuestionLimiter;

beforeAll(async () => {
  redis = await startPrivateRedis();
  cache = openCache(redis.url, silentLogger());
  limiter = createQuestionLimiter({ cache, replicas: 1 });
  await waitUntil(() => cache.state() === "up");
});
afterAll(async () => {
  await cache.close();
  await redis.remove();
});

async function askTimes(times: number, orgId: Id<"org">, limit: { perMinute: number; perDay: number }) {
  const results = await Promise.allSettled(Array.from({ length: times }, () => limiter.admit(orgId, limit)));
  return {
    admitted: results.filter(({ status }) => status === "fulfilled").length,
    refusals: results.flatMap((result) => (result.status === "rejected" ? [result.reason as AppError] : [])),
  };
}

const keysOf = (orgId: Id<"org">) => ["minute", "day"].map((window) => `svc:questions:{${orgId}}:${window}`);

async function charged(orgId: Id<"org">) {
  const read =
    "return {redis.call('get', KEYS[1]), redis.call('get', KEYS[2]), redis.call('pttl', KEYS[1]), redis.call('pttl', KEYS[2])}";
  const [minute, day, minuteMs, dayMs] = ((await cache.runScript(read, keysOf(orgId), [])) as unknown[]).map(Number);
  return { minute, day, minuteMs: minuteMs ?? 0, dayMs };
}

describe("the limit of questions", () => {
  it("admits exactly 60 of 200 at once, charges exactly 60, and says to each other one how long to wait", async () => {
    const orgId = newId("org");
    const { admitted, refusals } = await askTimes(200, orgId, { perMinute: 60, perDay: 5_000 });
    expect(admitted).toBe(60);
    const { minute, day, minuteMs, dayMs } = await charged(orgId);
    expect([minute, day]).toEqual([60, 60]);
    expect(dayMs).toBeGreaterThan(86_000_000);
    expect(refusals).toHaveLength(140);
    for (const { code, retryAfterSeconds, message } of refusals) {
      expect(code).toBe("RATE_LIMITED");
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(Math.ceil(minuteMs / 1_000));
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
      expect(message).toContain("60 questions a minute");
    }
  });

  it("refuses for the day with the day's wait, and charges nothing for it", async () => {
    const orgId = newId("org");
    const { admitted, refusals } = await askTimes(10, orgId, { perMinute: 60, perDay: 4 });
    expect(admitted).toBe(4);
    expect(refusals[0]?.retryAfterSeconds).toBeGreaterThan(86_000);
    expect(refusals[0]?.message).toContain("4 questions a day");
    expect(await charged(orgId)).toMatchObject({ minute: 4, day: 4 });
  });

  it("names the longer wait where both are used up", async () => {
    const { refusals } = await askTimes(3, newId("org"), { perMinute: 2, perDay: 2 });
    expect(refusals[0]?.retryAfterSeconds).toBeGreaterThan(86_000);
  });

  it("counts each organization by itself, and lets nobody through where the limit is 0", async () => {
    const limit = { perMinute: 1, perDay: 1 };
    expect((await askTimes(1, newId("org"), limit)).admitted).toBe(1);
    expect((await askTimes(1, newId("org"), limit)).admitted).toBe(1);
    const closed = await askTimes(1, newId("org"), { perMinute: 0, perDay: 10 });
    expect(closed.admitted).toBe(0);
    expect(closed.refusals[0]?.retryAfterSeconds).toBe(60);
  });

  it("takes a part in advance where much is left, counts it, and admits exactly the limit all the same", async () => {
    const orgId = newId("org");
    const limit = { perMinute: 2_000, perDay: 100_000 };
    let calls = 0;
    const counting: Cache = { ...cache, runScript: (...args) => ((calls += 1), cache.runScript(...args)) };
    limiter = createQuestionLimiter({ cache: counting, replicas: 1 });
    let admitted = 0;
    for (let n = 0; n < 110; n += 1) admitted += (await askTimes(20, orgId, limit)).admitted;
    expect(admitted).toBe(2_000);
    expect(await charged(orgId)).toMatchObject({ minute: 2_000, day: 2_000 });
    // Ones at the end, where little is left, and the 200 that were refused.
    expect(calls).toBeLessThan(900);
  });

  it("does not use what was taken in advance in the next minute", async () => {
    const orgId = newId("org");
    await limiter.admit(orgId, { perMinute: 10_000, perDay: 100_000 });
    await cache.runScript("return redis.call('pexpire', KEYS[1], 1)", keysOf(orgId), []);
    const late = createQuestionLimiter({ cache, replicas: 1 });
    await late.admit(orgId, { perMinute: 10_000, perDay: 100_000 });
    expect((await charged(orgId)).day).toBe(100);
    expect((await charged(orgId)).minute).toBe(50);
  });

  it("opens again when its window is over", async () => {
    const orgId = newId("org");
    await askTimes(1, orgId, { perMinute: 1, perDay: 9 });
    await cache.runScript("return redis.call('pexpire', KEYS[1], 1)", keysOf(orgId), []);
    await waitUntil(async () => (await charged(orgId)).minute === 0);
    expect((await askTimes(2, orgId, { perMinute: 1, perDay: 9 })).admitted).toBe(1);
  });
});

describe("the limit while Redis is away", () => {
  it("is held by each process for its part", async () => {
    const away = openCache("redis://127.0.0.1:1", silentLogger());
    try {
      limiter = createQuestionLimiter({ cache: away, replicas: 4 });
      const orgId = newId("org");
      const { admitted, refusals } = await askTimes(200, orgId, { perMinute: 60, perDay: 5_000 });
      expect(admitted).toBe(15);
      expect(refusals[0]?.retryAfterSeconds).toBeGreaterThan(58);
      expect(refusals[0]?.retryAfterSeconds).toBeLessThanOrEqual(60);
      expect((await askTimes(200, newId("org"), { perMinute: 60, perDay: 8 })).admitted).toBe(2);
    } finally {
      await away.close();
    }
  });
});

import { REVOCATION_CHANNEL } from "@svc/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Cache, openCache } from "../cache/index.ts";
import {
  type AuthStandIn,
  type PrivateRedis,
  silentLogger,
  startAuthStandIn,
  startPrivateRedis,
  validAnswer,
  waitUntil,
} from "../testing/index.ts";
import { announceAlive } from "./revocations.ts";
import { type Authenticator, createAuthenticator } from "./validate-token.ts";

const TOKEN = "svc_a-token";
const REVOKED = "org_1";
let redis: PrivateRedis;
let auth: AuthStandIn;

beforeAll(async () => {
  redis = await startPrivateRedis();
});
afterAll(() => redis.remove());
beforeEach(async () => {
  auth = await startAuthStandIn();
});
afterEach(() => auth.close());

describe("with revocations arriving", () => {
  let cache: Cache;
  let authenticator: Authenticator;
  let isLive: () => boolean;
  let heard: number;
  let revocations = 0;
  let stopAnnouncing: () => Promise<void>;

  beforeEach(async () => {
    const real = openCache(redis.url, silentLogger());
    heard = 0;
    cache = {
      ...real,
      subscribe: (channel, onMessage, onGap) => {
        const countingMessage = (message: string): void => {
          onMessage(message);
          heard += 1;
          if (message === REVOKED) revocations += 1;
        };
        const subscription = real.subscribe(channel, countingMessage, onGap);
        ({ isLive } = subscription);
        return subscription;
      },
    };
    authenticator = createAuthenticator({ authServiceUrl: auth.url, cache });
    await waitUntil(() => isLive() && cache.state() === "up");
    stopAnnouncing = announceAlive(cache);
    await waitUntil(() => heard > 0);
  });
  afterEach(async () => {
    await stopAnnouncing();
    await cache.close();
  });

  const revoke = async (): Promise<void> => {
    const before = revocations;
    await cache.publish(REVOCATION_CHANNEL, REVOKED);
    await waitUntil(() => revocations > before);
  };

  it("an answer is relied on for as long as the auth service allows, and then asked for again", async () => {
    auth.answer = () => validAnswer(0.8);
    const startedAt = performance.now();
    const first = await authenticator.authenticate(TOKEN);
    expect(await authenticator.authenticate(TOKEN)).toEqual(first);
    expect(first).toMatchObject({ kind: "api_token", role: "viewer", org: { slug: "acme" } });
    expect(first).not.toHaveProperty("cache_seconds");
    await waitUntil(async () => {
      await authenticator.authenticate(TOKEN);
      return auth.asked.length === 2;
    });
    expect(performance.now() - startedAt).toBeGreaterThan(790);
  });

  it("an answer is not relied on for longer than a moment once the auth service falls silent", async () => {
    auth.answer = () => validAnswer(60);
    await authenticator.authenticate(TOKEN);
    await stopAnnouncing();
    const silentSince = performance.now();
    await waitUntil(async () => {
      await authenticator.authenticate(TOKEN);
      return auth.asked.length === 2;
    });
    expect(performance.now() - silentSince).toBeLessThan(1_000);
  });

  it("a revocation empties the cache at once", async () => {
    auth.answer = () => validAnswer(60);
    await authenticator.authenticate(TOKEN);
    auth.answer = () => ({ body: { valid: false, reason: "Revoked by an owner" } });
    await authenticator.authenticate(TOKEN);
    await revoke();
    await expect(authenticator.authenticate(TOKEN)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: "Revoked by an owner",
    });
    expect(auth.asked).toHaveLength(2);
  });

  it("a revocation that comes while the auth service is asked keeps the answer out of the cache", async () => {
    const released = Promise.withResolvers<void>();
    auth.answer = () => released.promise.then(() => validAnswer(60));
    const early = authenticator.authenticate(TOKEN);
    await waitUntil(() => auth.asked.length === 1);
    await revoke();
    released.resolve();
    await early;
    await authenticator.authenticate(TOKEN);
    expect(auth.asked).toHaveLength(2);
  });

  it("a request that comes after a revocation does not get an answer that was asked for before it", async () => {
    const released = Promise.withResolvers<void>();
    auth.answer = () => released.promise.then(() => validAnswer(60));
    const early = authenticator.authenticate(TOKEN);
    await waitUntil(() => auth.asked.length === 1);
    await revoke();
    auth.answer = () => ({ body: { valid: false, reason: "Revoked by an owner" } });
    const late = authenticator.authenticate(TOKEN);
    released.resolve();
    await expect(late).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await early).org.slug).toBe("acme");
  });

  it("nothing from before is trusted once Redis was away, for a revocation may have been missed", async () => {
    auth.answer = () => validAnswer(60);
    await authenticator.authenticate(TOKEN);
    await authenticator.authenticate(TOKEN);
    expect(auth.asked).toHaveLength(1);

    await redis.stop();
    await waitUntil(() => !isLive());
    await authenticator.authenticate(TOKEN);
    expect(auth.asked).toHaveLength(2);

    await redis.start();
    await waitUntil(isLive);
    auth.answer = () => ({ body: { valid: false, reason: "Revoked meanwhile" } });
    await expect(authenticator.authenticate(TOKEN)).rejects.toMatchObject({ message: "Revoked meanwhile" });
  });
});

describe("without revocations arriving", () => {
  const secondsUntilAskedAgain = async (authenticator: Authenticator): Promise<number> => {
    await authenticator.authenticate(TOKEN);
    const answeredAt = performance.now();
    const asked = auth.asked.length;
    await waitUntil(async () => {
      await authenticator.authenticate(TOKEN);
      return auth.asked.length > asked;
    });
    return (performance.now() - answeredAt) / 1_000;
  };

  it("an answer is relied on for half a second", async () => {
    auth.answer = () => validAnswer(60);
    const seconds = await secondsUntilAskedAgain(createAuthenticator({ authServiceUrl: auth.url }));
    expect(seconds).toBeGreaterThan(0.4);
    expect(seconds).toBeLessThan(1.5);
  });

  it("an answer is relied on for no longer than that while Redis is away", async () => {
    auth.answer = () => validAnswer(60);
    const cache = openCache("redis://127.0.0.1:1", silentLogger());
    const authenticator = createAuthenticator({ authServiceUrl: auth.url, cache });
    expect(await secondsUntilAskedAgain(authenticator)).toBeLessThan(1.5);
    await cache.close();
  });
});

describe("the auth service", () => {
  it("is asked once by a hundred requests that come at once with one token", async () => {
    const authenticator = createAuthenticator({ authServiceUrl: auth.url });
    const released = Promise.withResolvers<void>();
    auth.answer = () => released.promise.then(() => validAnswer(0));
    const requests = Array.from({ length: 100 }, () => authenticator.authenticate(TOKEN));
    await waitUntil(() => auth.asked.length > 0);
    released.resolve();
    const callers = await Promise.all(requests);
    expect(new Set(callers.map(({ org }) => org.slug))).toEqual(new Set(["acme"]));
    expect(auth.asked).toEqual([TOKEN]);
  });

  it("is asked each time where it allows no caching, and about each token", async () => {
    const authenticator = createAuthenticator({ authServiceUrl: auth.url });
    auth.answer = () => validAnswer(0);
    for (const token of [TOKEN, TOKEN, "svc_other", TOKEN]) await authenticator.authenticate(token);
    expect(auth.asked).toEqual([TOKEN, TOKEN, "svc_other", TOKEN]);
  });

  it("is asked again about a token it refused", async () => {
    const authenticator = createAuthenticator({ authServiceUrl: auth.url });
    auth.answer = () => ({ body: { valid: false, reason: "Not yet" } });
    await expect(authenticator.authenticate(TOKEN)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: "Not yet",
    });
    auth.answer = () => validAnswer(0);
    expect((await authenticator.authenticate(TOKEN)).role).toBe("viewer");
  });

  it("is not asked about what is too long to be a token", async () => {
    const authenticator = createAuthenticator({ authServiceUrl: auth.url });
    await expect(authenticator.authenticate("x".repeat(8_193))).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(auth.asked).toEqual([]);
  });

  it.each([
    ["answers 500", () => ({ status: 500, body: {} })],
    ["answers 400", () => ({ status: 400, body: { valid: true } })],
    ["answers something that is not JSON", () => ({ body: "<html>" })],
    ["answers JSON of another shape", () => ({ body: { valid: "yes" } })],
    ["leaves out who it is", () => ({ body: { valid: true, cache_seconds: 5 } })],
    ["does not answer in time", () => new Promise<never>(() => {})],
  ])("makes requests fail as temporarily unavailable when it %s", async (_what, answer) => {
    auth.answer = answer;
    const authenticator = createAuthenticator({ authServiceUrl: auth.url, timeoutMs: 300 });
    await expect(authenticator.authenticate(TOKEN)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      retryAfterSeconds: 1,
    });
    auth.answer = () => validAnswer(5);
    expect((await authenticator.authenticate(TOKEN)).org.slug).toBe("acme");
  });

  it("makes requests fail as temporarily unavailable when it is not there", async () => {
    const authenticator = createAuthenticator({ authServiceUrl: "http://127.0.0.1:1" });
    const refusal = authenticator.authenticate(TOKEN);
    await expect(refusal).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining("127.0.0.1") });
  });
});

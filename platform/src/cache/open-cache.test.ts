import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type PrivateRedis, recordingLogger, silentLogger, startPrivateRedis, waitUntil } from "../testing/index.ts";
import { type Cache, openCache } from "./open-cache.ts";

let redis: PrivateRedis;
const opened: Cache[] = [];

beforeAll(async () => {
  redis = await startPrivateRedis();
});
afterAll(() => redis.remove());
afterEach(async () => {
  for (const cache of opened.splice(0)) await cache.close();
});

function open(url: string, log = silentLogger()): Cache {
  const cache = openCache(url, log);
  opened.push(cache);
  return cache;
}

describe("the cache", () => {
  it("brings what one process publishes to every process that listens on the channel", async () => {
    const heard: string[] = [];
    const [publisher, one, two] = [open(redis.url), open(redis.url), open(redis.url)];
    const subscriptions = [
      one.subscribe(
        "colours",
        (message) => heard.push(`one ${message}`),
        () => undefined,
      ),
      two.subscribe(
        "colours",
        (message) => heard.push(`two ${message}`),
        () => undefined,
      ),
      two.subscribe(
        "sounds",
        (message) => heard.push(`wrong ${message}`),
        () => undefined,
      ),
    ];
    await waitUntil(() => publisher.state() === "up" && subscriptions.every(({ isLive }) => isLive()));
    await publisher.publish("colours", "red");
    await waitUntil(() => heard.length === 2);
    expect(heard.toSorted()).toEqual(["one red", "two red"]);
  });

  it("is degraded, never down, and makes nobody wait while no server is there", async () => {
    const { log, lines } = recordingLogger();
    const cache = open("redis://127.0.0.1:1", log);
    const subscription = cache.subscribe(
      "colours",
      () => undefined,
      () => undefined,
    );
    await waitUntil(() => lines.length > 0);
    expect(cache.state()).toBe("degraded");
    expect(subscription.isLive()).toBe(false);
    await expect(cache.publish("colours", "red")).resolves.toBe(false);
  });

  it("comes back by itself after the server was away, says so once each, and tells its listeners of the gap", async () => {
    const { log, lines } = recordingLogger();
    const cache = open(redis.url, log);
    const heard: string[] = [];
    let gaps = 0;
    const subscription = cache.subscribe(
      "colours",
      (message) => heard.push(message),
      () => (gaps += 1),
    );
    await waitUntil(() => cache.state() === "up" && subscription.isLive());

    const gapsBefore = gaps;
    await redis.stop();
    await waitUntil(() => cache.state() === "degraded" && !subscription.isLive());
    expect(gaps).toBeGreaterThan(gapsBefore);
    await cache.publish("colours", "lost");

    const gapsAway = gaps;
    await redis.start();
    await waitUntil(() => cache.state() === "up" && subscription.isLive());
    expect(gaps).toBeGreaterThan(gapsAway);
    await cache.publish("colours", "green");
    await waitUntil(() => heard.length > 0);
    expect(heard).toEqual(["green"]);

    // One connection publishes, the other listens.
    const said = lines.map(({ msg }) => msg);
    expect(said.filter((msg) => msg === "the cache is away; going on without it")).toHaveLength(2);
    expect(said.filter((msg) => msg === "the cache is back")).toHaveLength(2);
  });
});

import { REVOCATION_CHANNEL } from "@svc/contract";
import type { Cache } from "../cache/index.ts";

/*
 * A connection to Redis that stands says nothing of whether the auth service's does. So the auth service says a few
 * times a second that it is there, and whoever has not heard it for a moment trusts nothing older than that.
 */
const ALIVE = "alive";
const ALIVE_EVERY_MS = 250;
const SILENCE_MS = 750;

export interface RevocationFeed {
  /** Whether a revocation would arrive at once. */
  isLive(): boolean;
}

/** `forget` is called for a revocation, and whenever one may have been missed. */
export function listenForRevocations(cache: Cache, forget: () => void): RevocationFeed {
  let heardAt = Number.NEGATIVE_INFINITY;
  const onMessage = (message: string): void => {
    heardAt = performance.now();
    if (message !== ALIVE) forget();
  };
  const feed = cache.subscribe(REVOCATION_CHANNEL, onMessage, forget);
  return { isLive: () => feed.isLive() && performance.now() - heardAt < SILENCE_MS };
}

/** The auth service's part. Answers how to stop it. */
export function announceAlive(cache: Pick<Cache, "publish">): () => Promise<void> {
  const timer = setInterval(() => {
    cache.publish(REVOCATION_CHANNEL, ALIVE).catch(() => undefined);
  }, ALIVE_EVERY_MS);
  return async () => clearInterval(timer);
}

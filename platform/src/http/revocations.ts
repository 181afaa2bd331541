import { REVOCATION_CHANNEL } from "@svc/contract";
import type { Cache } from "../cache/index.ts";

/*
 * A connection to Redis that stands says nothing of whether the auth service's does. So the auth service says a few
 * times a second that it is there, and whoever has not heard it for a moment trusts nothing older than that.
 */
const ALIVE = "alive";
const REVOKE_ALL = "";
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

/**
 * The auth service's part. Answers how to stop it. The first word is a revocation of everything: the secrets may have
 * been changed since the last start, and whoever was not heard while Redis was away may have missed one.
 */
export function announceAlive(cache: Pick<Cache, "publish">): () => Promise<void> {
  let message = REVOKE_ALL;
  const timer = setInterval(() => {
    cache.publish(REVOCATION_CHANNEL, message).then(
      (heard) => (message = heard ? ALIVE : REVOKE_ALL),
      () => (message = REVOKE_ALL),
    );
  }, ALIVE_EVERY_MS);
  return async () => clearInterval(timer);
}

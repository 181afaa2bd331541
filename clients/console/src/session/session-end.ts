import { useSyncExternalStore } from "react";

interface SignedInAgain {
  /** Where the auth service is on another origin: what a token is got for. */
  code: string | undefined;
}

const CHANNEL = "svc-session";
const listeners = new Set<() => void>();
let waiting: { promise: Promise<SignedInAgain>; done: (news: SignedInAgain) => void } | undefined;

/**
 * Waits until somebody signed in again, in whichever window. What needed the session goes on afterwards, so that
 * nothing that was typed is lost.
 */
export function waitForSignIn(): Promise<SignedInAgain> {
  if (waiting) return waiting.promise;
  const { promise, resolve } = Promise.withResolvers<SignedInAgain>();
  waiting = { promise, done: resolve };
  for (const listener of listeners) listener();
  return promise;
}

export function announceSignIn(news: SignedInAgain): void {
  // A channel reaches this origin alone and takes no other argument.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  new BroadcastChannel(CHANNEL).postMessage(news);
}

export function listenForSignIn(): void {
  new BroadcastChannel(CHANNEL).addEventListener("message", ({ data }: MessageEvent<SignedInAgain>) => {
    const settled = waiting;
    waiting = undefined;
    settled?.done(data);
    for (const listener of listeners) listener();
  });
}

export function useHasSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting !== undefined,
  );
}

import { createHash } from "node:crypto";
import { createClient } from "@redis/client";
import type { DependencyState } from "@svc/contract";
import { type Logger, observeGauge } from "../telemetry/index.ts";

/** Valkey or Redis. Never the record of anything: while it is away, callers go on without it. */
export interface Cache {
  state(): DependencyState;
  /** False while there is nobody to take it. */
  publish(channel: string, message: string): Promise<boolean>;
  /** `isLive` tells whether messages arrive right now; `onGap` is called whenever some may have been missed. */
  subscribe(channel: string, onMessage: (message: string) => void, onGap: () => void): { isLive(): boolean };
  /**
   * Runs a Lua script that names its keys. Undefined while there is nobody to run it, or when no answer comes in time:
   * it may have run all the same.
   */
  runScript(script: string, keys: string[], args: string[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Longer than any script of ours takes, shorter than a caller's patience. */
const SCRIPT_TIMEOUT_MS = 300;

type Client = ReturnType<typeof connect>;

interface EvalOptions {
  keys: string[];
  arguments: string[];
}

export function openCache(url: string, log: Logger): Cache {
  const client = connect(url, log);
  const subscribers: Client[] = [];
  observeGauge("svc_cache_up", "1 while Valkey or Redis answers, 0 while the service runs without it.", () => [
    { value: client.isReady ? 1 : 0 },
  ]);

  return {
    state: () => (client.isReady ? "up" : "degraded"),
    publish: async (channel, message) => {
      if (!client.isReady) return false;
      await client.publish(channel, message);
      return true;
    },
    subscribe: (channel, onMessage, onGap) => {
      // A connection that subscribes can do nothing else, so it is one of its own.
      const subscriber = connect(url, log);
      subscribers.push(subscriber);
      subscriber.on("ready", onGap).on("error", onGap);
      let subscribed = false;
      // Resolves only once the server is there, and nobody is to wait for a cache.
      subscriber.subscribe(channel, onMessage).then(
        () => (subscribed = true),
        (error: unknown) => log.warn({ err: error }, "cannot listen on the cache"),
      );
      return { isLive: () => subscribed && subscriber.isReady };
    },
    runScript: async (script, keys, args) => {
      if (!client.isReady) return undefined;
      return inTime(evaluate(client, script, { keys, arguments: args }));
    },
    close: async () => {
      for (const connection of [client, ...subscribers]) connection.destroy();
    },
  };
}

const digests = new Map<string, string>();

/** By its digest: the server keeps scripts it has seen, until it is restarted. */
async function evaluate(client: Client, script: string, options: EvalOptions): Promise<unknown> {
  let digest = digests.get(script);
  if (!digest) digests.set(script, (digest = createHash("sha1").update(script).digest("hex")));
  try {
    return await client.evalSha(digest, options);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return client.eval(script, options);
  }
}

async function inTime(answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, SCRIPT_TIMEOUT_MS, undefined);
  });
  try {
    return await Promise.race([answer, silence]);
  } catch {
    // The connection broke; the error listener has reported it.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function connect(url: string, log: Logger): ReturnType<typeof createClient> {
  let reported = false;
  const client = createClient({
    url,
    // A server that vanished without a word is noticed by the missing answer.
    pingInterval: 1_000,
    socket: {
      socketTimeout: 3_000,
      connectTimeout: 2_000,
      reconnectStrategy: (attempt) => Math.min(100 * 2 ** attempt, 2_000),
    },
  });
  client.on("error", (error: unknown) => {
    if (reported) return;
    reported = true;
    log.warn({ err: error }, "the cache is away; going on without it");
  });
  client.on("ready", () => {
    if (reported) log.info("the cache is back");
    reported = false;
  });
  client.connect().catch(() => {
    // Reported by the error listener; the client goes on trying by itself.
  });
  return client as ReturnType<typeof createClient>;
}

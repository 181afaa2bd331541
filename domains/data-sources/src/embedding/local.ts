import { Worker } from "node:worker_threads";
import type { Logger } from "@svc/platform/telemetry";
import type { Embedder } from "./models.ts";
import type { LocalAnswer, LocalJob } from "./local-worker.ts";

interface LocalModel {
  embed: Embedder["embed"];
  close(): Promise<void>;
}

interface Waiting extends LocalJob {
  resolve(vectors: Float32Array[]): void;
  reject(reason: unknown): void;
}

/** Far more than the longest text takes: the thread hangs, and everyone behind it would wait for ever. */
const STUCK_AFTER_MS = 60_000;

/**
 * The model that comes with this package: English, 512 dimensions, no network. For trying things out and for tests.
 * Computing a vector holds its thread for 10 to 150 ms, so it has a thread of its own, started at the first text.
 */
export function createLocalModel(log: Logger, startThread = startLocalThread): LocalModel {
  const queue: Waiting[] = [];
  let thread: Worker | undefined;
  let current: Waiting | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  let isClosed = false;

  const finish = (answer: LocalAnswer): void => {
    clearTimeout(watchdog);
    const done = current;
    current = undefined;
    if ("vectors" in answer) done?.resolve(answer.vectors);
    else done?.reject(new Error(`the local model failed: ${answer.failed}`));
    // Nothing to wait for: the thread is no reason for the process to live on.
    thread?.unref();
    startNext();
  };

  const lose = (lost: Worker, reason: string): void => {
    if (lost !== thread) return;
    thread = undefined;
    if (!isClosed) log.error({ reason }, "the thread of the local model ended; the next question starts another");
    if (current) finish({ failed: reason });
  };

  const start = (): Worker => {
    const started = startThread();
    started.on("message", finish);
    started.on("error", (error) => lose(started, String(error)));
    started.on("exit", (code) => lose(started, `it exited with ${code}`));
    return started;
  };

  const startNext = (): void => {
    if (current || isClosed) return;
    current = queue.shift();
    if (!current) return;
    thread ??= start();
    thread.ref();
    thread.postMessage({ texts: current.texts } satisfies LocalJob, []);
    watchdog = setTimeout(() => void thread?.terminate(), STUCK_AFTER_MS).unref();
  };

  return {
    embed: (texts, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error("the models are closed"));
        const job: Waiting = { texts, resolve, reject };
        signal.addEventListener(
          "abort",
          () => {
            reject(signal.reason);
            // The thread cannot be interrupted; whoever still waits for it need not be computed at all.
            const position = queue.indexOf(job);
            if (position !== -1) queue.splice(position, 1);
          },
          { once: true },
        );
        queue.push(job);
        startNext();
      }),
    close: async () => {
      isClosed = true;
      clearTimeout(watchdog);
      for (const job of [...queue.splice(0), current]) job?.reject(new Error("the models are closed"));
      await thread?.terminate();
    },
  };
}

function startLocalThread(): Worker {
  const source = new URL("./local-worker.ts", import.meta.url);
  const file = import.meta.url.endsWith(".ts") ? source : new URL(source.href.replace(/\.ts$/, ".js"));
  // The library may warn on the console, where only our own log belongs; reading its streams would keep us alive.
  return new Worker(file, { stdout: true, stderr: true });
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Readiness } from "@svc/contract";
import { COMPILE_CACHE } from "@svc/platform/testing";
import type { ServiceDefinition } from "./services.ts";

const ROOT = new URL("../../../", import.meta.url);

export interface ServiceProcess {
  name: string;
  url: string;
  opsUrl: string;
  process: ChildProcess;
  /** Settles with the exit code, or the signal that ended it. */
  exited: Promise<number | string>;
  waitUntilReady(limitMs?: number): Promise<void>;
  readiness(): Promise<Readiness>;
  /** Asks it to stop and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

/** A service as a process of its own, run from source. Without a reader what it prints goes nowhere. */
export function startServiceProcess(
  { name, entry, env, port, opsPort }: ServiceDefinition,
  onLine?: (line: string) => void,
): ServiceProcess {
  const child = spawn(process.execPath, ["--conditions=svc-source", fileURLToPath(new URL(entry, ROOT))], {
    env: { PATH: process.env["PATH"], ...COMPILE_CACHE, ...env },
    stdio: onLine ? ["ignore", "pipe", "pipe"] : "ignore",
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && onLine) createInterface({ input: stream }).on("line", onLine);
  }
  // "close" comes after the last line was read, "exit" may come before it.
  const exited = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  const opsUrl = `http://127.0.0.1:${opsPort}`;

  const readiness = async (): Promise<Readiness> => {
    const response = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(3_000) });
    return (await response.json()) as Readiness;
  };

  return {
    name,
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    process: child,
    exited,
    readiness,
    waitUntilReady: async (limitMs = 30_000) => {
      const giveUpAt = Date.now() + limitMs;
      let last = "it does not answer";
      while (Date.now() < giveUpAt) {
        if (child.exitCode !== null)
          throw new Error(`${name} ended with code ${child.exitCode} instead of getting ready`);
        const state = await readiness().catch(() => undefined);
        if (state?.ready) return;
        if (state) last = JSON.stringify(state.dependencies);
        await sleep(50);
      }
      throw new Error(`${name} was not ready within ${limitMs} ms: ${last}`);
    },
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
  };
}

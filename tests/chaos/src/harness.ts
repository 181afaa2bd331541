import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a fault run found. It holds only where nothing was lost, doubled or leaked. */
export interface ChaosResult {
  /** Faults that really happened. */
  faults: number;
  expected: number;
  seen: number;
  lost: number;
  doubled: number;
  leaked: number;
  longest_gap_s: number;
  holds: boolean;
}

export interface ChaosRun {
  summary: string;
  run(report: (line: string) => void): Promise<ChaosResult>;
}

/** A process of the part under test, to be killed. */
export interface Victim {
  pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Kills it as the kernel would, and waits until it is gone. */
  kill(): Promise<void>;
}

export function startVictim(script: string, env: Record<string, string>): Victim {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ["--conditions=svc-source", path], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return {
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

export function randomBetween(least: number, most: number): number {
  return least + Math.random() * (most - least);
}

import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";

const GIVE_UP_MS = 5_000;
/** The work under a lock takes milliseconds; who left one behind for so long is gone. */
const STALE_MS = 30_000;

export async function withFileLock(path: string, work: () => void): Promise<void> {
  const until = Date.now() + GIVE_UP_MS;
  while (!tryToLock(path)) {
    if (Date.now() > until) {
      throw new CliError("CONFLICT", `Another svc is changing the logins. If none is running, delete ${path}.`);
    }
    await sleep(10 + Math.random() * 20);
  }
  try {
    work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryToLock(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - since > STALE_MS) rmSync(path, { force: true });
    return false;
  }
}

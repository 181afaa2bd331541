import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../options.ts";
import { withFileLock } from "./file-lock.ts";
import { loginFilePath, type Logins, readLogins } from "./login-file.ts";

/** Reads, changes and replaces the file in one piece, one process at a time, so that no login gets lost. */
export async function changeLogins(env: Environment, change: (logins: Logins) => void): Promise<void> {
  const path = loginFilePath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await withFileLock(`${path}.lock`, () => {
    const logins = readLogins(env);
    change(logins);
    const temporary = `${path}.${process.pid}.tmp`;
    rmSync(temporary, { force: true });
    writeFileSync(temporary, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    // The umask may have taken rights away from the owner too.
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  });
}

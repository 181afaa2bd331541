import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import type { Environment } from "../options.ts";

export interface SavedLogin {
  api_url: string;
  api_key: string;
  org: { id: string; slug: string; name: string };
  /** E-mail address of whose key it is; null for a key of no person. */
  user: string | null;
}

export interface Logins {
  version: 1;
  current: string | null;
  contexts: Record<string, SavedLogin>;
}

export function loginFilePath(env: Environment): string {
  const directory = env["SVC_CONFIG_DIR"] || join(env["XDG_CONFIG_HOME"] || join(homeOf(env), ".config"), "svc");
  return join(directory, "config.json");
}

function homeOf(env: Environment): string {
  // Loaded only where there is no HOME, such as in a service of systemd.
  return env["HOME"] || process.getBuiltinModule("node:os").homedir();
}

export function readLogins(env: Environment): Logins {
  const path = loginFilePath(env);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { version: 1, current: null, contexts: {} };
    const { message } = error as Error;
    throw new CliError("INVALID_REQUEST", `${path} cannot be read: ${message}`, { cause: error });
  }
  return parseLogins(path, text);
}

/** Whoever may read the file has the keys. Undefined where that is the owner alone, or no such file is. */
export function findLoosePermissions(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o077) === 0 ? undefined : (mode & 0o777).toString(8).padStart(4, "0");
}

function parseLogins(path: string, text: string): Logins {
  try {
    const logins = JSON.parse(text) as Logins;
    const isSound =
      logins.version === 1 &&
      (logins.current === null || typeof logins.current === "string") &&
      Object.values(logins.contexts).every(
        ({ api_url, api_key, org }) =>
          URL.canParse(api_url) && typeof api_key === "string" && typeof org.id === "string",
      );
    if (isSound) return logins;
  } catch {
    // Said below.
  }
  throw new CliError("INVALID_REQUEST", `${path} is not a file of this version of svc. Move it away and log in again.`);
}

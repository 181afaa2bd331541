import { CliError } from "../cli-error.ts";
import type { Environment, GlobalOptions } from "../options.ts";
import { checkApiKey } from "./api-key.ts";
import { readApiUrl } from "./api-url.ts";
import { findContext, getContext } from "./contexts.ts";
import type { Logins } from "./login-file.ts";

export interface Login {
  apiUrl: string;
  apiKey: string;
  /** Where the key came from. */
  keptIn: "command_line" | "environment" | "file";
  /** The saved login that was used, if one was. */
  context: string | undefined;
}

interface Given {
  value: string;
  keptIn: Login["keptIn"];
}

/**
 * The command line goes before the environment, and that before what is saved. A saved key is only ever sent to the
 * address it was saved for. Where address and key are given, nothing that is saved is read.
 */
export function chooseLogin(options: GlobalOptions, env: Environment, readLogins: () => Logins): Login {
  // Who names a context means that one, whatever the environment says.
  const around = options.context === undefined ? env : {};
  const key = findKey(options, around);
  const url = options.apiUrl ?? (around["SVC_API_URL"] || undefined);
  const named = options.context ?? (around["SVC_CONTEXT"] || undefined);
  if (url !== undefined && key) return { apiUrl: readApiUrl(url), context: undefined, ...chosenKey(key, "") };
  const logins = readLogins();
  if (url !== undefined) return savedLoginAt(readApiUrl(url), named, logins);
  const context = named ?? logins.current ?? undefined;
  if (context === undefined) throw notLoggedIn(key, logins);
  const saved = getContext(logins, context);
  return { apiUrl: saved.api_url, context, ...chosenKey(key, saved.api_key) };
}

function findKey({ apiKey }: GlobalOptions, env: Environment): Given | undefined {
  if (apiKey === "-") throw new CliError("INVALID_REQUEST", "--api-key - reads a key for svc login alone.");
  if (apiKey !== undefined) return { value: checkApiKey(apiKey), keptIn: "command_line" };
  const inEnvironment = env["SVC_API_KEY"];
  return inEnvironment ? { value: checkApiKey(inEnvironment), keptIn: "environment" } : undefined;
}

function chosenKey(given: Given | undefined, saved: string): Pick<Login, "apiKey" | "keptIn"> {
  return given ? { apiKey: given.value, keptIn: given.keptIn } : { apiKey: saved, keptIn: "file" };
}

function savedLoginAt(apiUrl: string, named: string | undefined, logins: Logins): Login {
  const isThere = (name: string): boolean => findContext(logins, name)?.api_url === apiUrl;
  if (named !== undefined) getContext(logins, named);
  const candidates = named === undefined ? Object.keys(logins.contexts).filter(isThere) : [named].filter(isThere);
  const context = candidates.find((name) => name === logins.current) ?? candidates[0];
  if (context === undefined) {
    throw new CliError("UNAUTHENTICATED", `No key is saved for ${apiUrl}. Run: svc login --api-url ${apiUrl}`);
  }
  if (context !== logins.current && candidates.length > 1) {
    throw new CliError(
      "INVALID_REQUEST",
      `There are ${candidates.length} logins for ${apiUrl}. Choose one with --context: ${candidates.join(", ")}`,
    );
  }
  return { apiUrl, context, ...chosenKey(undefined, getContext(logins, context).api_key) };
}

function notLoggedIn(key: Given | undefined, { contexts }: Logins): CliError {
  const names = Object.keys(contexts);
  if (key) return new CliError("UNAUTHENTICATED", "There is a key but no address. Give --api-url or set SVC_API_URL.");
  if (names.length === 0) return new CliError("UNAUTHENTICATED", "Not logged in. Run: svc login --api-url <url>");
  return new CliError(
    "UNAUTHENTICATED",
    `No context is in use. Choose one with svc context use <name>: ${names.join(", ")}`,
  );
}

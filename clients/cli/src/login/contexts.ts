import { CliError } from "../cli-error.ts";
import type { Logins, SavedLogin } from "./login-file.ts";

export function findContext({ contexts }: Logins, name: string): SavedLogin | undefined {
  return Object.hasOwn(contexts, name) ? contexts[name] : undefined;
}

export function getContext(logins: Logins, name: string): SavedLogin {
  const login = findContext(logins, name);
  if (login) return login;
  const names = Object.keys(logins.contexts);
  const known = names.length === 0 ? "None is saved: svc login --api-url <url>" : `There are: ${names.join(", ")}`;
  throw new CliError("NOT_FOUND", `There is no context "${name}". ${known}`);
}

export function checkContextName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/.test(name)) return name;
  throw new CliError(
    "INVALID_REQUEST",
    "The name of a context starts with a letter or digit and has only those and . _ : - in it, 100 at most.",
  );
}

/**
 * Under which name a new login is kept. The same organization at the same address is the same login, and is updated;
 * any other is kept beside those that are there.
 */
export function nameForLogin(logins: Logins, login: SavedLogin, wanted?: string, force = false): string {
  const isSame = (name: string): boolean => {
    const saved = findContext(logins, name);
    return saved !== undefined && saved.api_url === login.api_url && saved.org.id === login.org.id;
  };
  if (wanted !== undefined) {
    const saved = findContext(logins, checkContextName(wanted));
    if (!saved || isSame(wanted) || force) return wanted;
    throw new CliError(
      "CONFLICT",
      `The context "${wanted}" is the login to ${saved.org.name} at ${saved.api_url}. ` +
        "Choose another name, or give --force to replace it.",
    );
  }
  const names = [...(logins.current === null ? [] : [logins.current]), ...Object.keys(logins.contexts)];
  return names.find(isSame) ?? freeName(logins, instanceName(login.api_url));
}

function freeName(logins: Logins, base: string): string {
  let name = base;
  for (let n = 2; findContext(logins, name) !== undefined; n += 1) name = `${base}-${n}`;
  return name;
}

/** Its host, with the port where that is not the usual one. */
function instanceName(apiUrl: string): string {
  return new URL(apiUrl).host.replaceAll(/[^A-Za-z0-9._:-]/g, "").replace(/^[^A-Za-z0-9]+/, "") || "svc";
}

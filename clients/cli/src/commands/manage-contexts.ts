import { CliError } from "../cli-error.ts";
import { getContext } from "../login/contexts.ts";
import { changeLogins } from "../login/change-logins.ts";
import { type Logins, readLogins } from "../login/login-file.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData, printNote } from "../output/print.ts";
import { renderTable } from "../output/render-table.ts";

export interface ListContextsOptions extends GlobalOptions {
  quiet?: boolean;
}

export async function listContexts(options: ListContextsOptions): Promise<void> {
  const logins = readLogins(process.env);
  const items = Object.entries(logins.contexts).map(([name, { api_url, org, user }]) => {
    return { name, current: name === logins.current, api_url, org, user };
  });
  const format = formatOf(options);
  if (format === "json" || format === "yaml") return printDocument(format, { items });
  if (options.quiet) return printData(items.map(({ name }) => `${name}\n`).join(""));
  if (items.length === 0) return printNote("No login is saved. Run: svc login --api-url <url>");
  const rows = items.map(({ name, current, api_url, org, user }) => [
    current ? "*" : "",
    name,
    api_url,
    org.name,
    user ?? "",
  ]);
  printData(renderTable(["CURRENT", "NAME", "ADDRESS", "ORGANIZATION", "USER"], rows, process.stdout.columns));
}

export async function useContext(_options: GlobalOptions, name: string): Promise<void> {
  await changeLogins(process.env, (logins) => {
    getContext(logins, name);
    logins.current = name;
  });
  printNote(`Context ${name} is in use.`);
}

export async function removeContext(_options: GlobalOptions, name: string): Promise<void> {
  let remaining: string[] = [];
  await changeLogins(process.env, (logins) => {
    getContext(logins, name);
    remaining = forget(logins, name);
  });
  printNote(`Context ${name} is forgotten. Its key works until it is revoked in Settings, API tokens.`);
  if (remaining.length > 0)
    printNote(`No context is in use now. Choose one with svc context use <name>: ${remaining.join(", ")}`);
}

export async function logOut(options: GlobalOptions): Promise<void> {
  const name = options.context ?? (process.env["SVC_CONTEXT"] || readLogins(process.env).current);
  if (name === null) throw new CliError("UNAUTHENTICATED", "Not logged in: no context is in use.");
  await removeContext(options, name);
}

/** Answers what can be chosen instead, where the one in use is gone. */
function forget(logins: Logins, name: string): string[] {
  delete logins.contexts[name];
  if (logins.current !== name) return [];
  logins.current = null;
  return Object.keys(logins.contexts);
}

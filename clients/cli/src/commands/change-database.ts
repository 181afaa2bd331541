import type { ManagedDatabase } from "@svc/contract";
import type { ApiClient } from "@svc/http-client";
import { confirm } from "../confirm.ts";
import { openSession } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData, printNote } from "../output/print.ts";
import { showProgress } from "../output/show-progress.ts";
import { readableTime } from "../output/time.ts";

export interface ConfirmedOptions extends GlobalOptions {
  yes?: boolean;
}

export async function deleteDatabase(options: ConfirmedOptions, name: string): Promise<void> {
  const { api } = openSession(options);
  await confirm(`Delete database ${name} and all that is in it?`, options);
  const { delete_after } = await change(options, `deleting database ${name}`, api.deleteDatabase(name), () => {
    return `Database ${name} is deleted.`;
  });
  if (delete_after !== null)
    printNote(`Until ${readableTime(delete_after)} you get it back with: svc db restore ${name}`);
}

export async function restoreDatabase(options: GlobalOptions, name: string): Promise<void> {
  const { api } = openSession(options);
  await change(options, `restoring database ${name}`, api.restoreDatabase(name), ({ status }) => {
    return status === "ready" ? `Database ${name} is back.` : `Database ${name} is coming back; it is ${status}.`;
  });
}

export async function rotateDatabase(options: ConfirmedOptions, name: string): Promise<void> {
  const { api } = openSession(options);
  await confirm(`Give database ${name} a new password? Who uses the old one has to change it.`, options);
  await change(options, `rotating the password of ${name}`, api.rotateDatabase(name), () => {
    return `Database ${name} gets a new password.`;
  });
  printNote(`Ask for it: svc db connect ${name}`);
}

async function change(
  options: GlobalOptions,
  doing: string,
  work: ReturnType<ApiClient["getDatabase"]>,
  inWords: (database: ManagedDatabase) => string,
): Promise<ManagedDatabase> {
  const database = await showProgress(doing, work);
  const format = formatOf(options);
  if (format === "json" || format === "yaml") printDocument(format, database);
  else printData(`${inWords(database)}\n`);
  return database;
}

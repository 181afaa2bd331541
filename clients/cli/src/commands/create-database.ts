import type { ManagedDatabase } from "@svc/contract";
import type { ApiClient } from "@svc/http-client";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";
import { openSession } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData, printNote } from "../output/print.ts";
import { showProgress } from "../output/show-progress.ts";

export interface CreateOptions extends GlobalOptions {
  description?: string;
  wait: boolean;
}

const PATIENCE_SECONDS = 120;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

export async function createDatabase(options: CreateOptions, name: string): Promise<void> {
  const { api } = openSession(options);
  const { description, timeout = PATIENCE_SECONDS, wait } = options;
  const made = (async () => {
    const database = await api.createDatabase({ name, ...(description !== undefined && { description }) });
    return wait ? waitUntilReady(api, database, Date.now() + timeout * 1_000) : database;
  })();
  const database = await showProgress(`creating database ${name}`, made);
  const format = formatOf(options);
  if (format === "json" || format === "yaml") return printDocument(format, database);
  const isReady = database.status === "ready";
  printData(
    `Database ${name} is ${isReady ? "ready" : "being created"}. As a data source it is ${database.source_id}.\n`,
  );
  printNote(isReady ? `Connect to it: svc db connect ${name}` : "See how far it is: svc db list");
}

async function waitUntilReady(api: ApiClient, created: ManagedDatabase, until: number): Promise<ManagedDatabase> {
  const { name } = created;
  let database = created;
  for (let pause = FIRST_PAUSE_MS; database.status === "creating"; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (Date.now() + pause > until) {
      throw new CliError("TIMEOUT", `Database ${name} is still being created. See how far it is: svc db list`);
    }
    await sleep(pause);
    database = await api.getDatabase(name);
  }
  if (database.status === "deleting") throw new CliError("CONFLICT", `Database ${name} was deleted meanwhile.`);
  return database;
}

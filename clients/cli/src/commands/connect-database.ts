import { openSession } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData, printNote } from "../output/print.ts";
import { safeLine } from "../output/safe-text.ts";
import { showProgress } from "../output/show-progress.ts";

export interface ConnectOptions extends GlobalOptions {
  quiet?: boolean;
}

export async function connectDatabase(options: ConnectOptions, name: string): Promise<void> {
  const { api } = openSession(options);
  const connection = await showProgress(`asking for the connection to ${name}`, api.databaseConnection(name));
  const format = formatOf(options);
  if (format === "json" || format === "yaml") return printDocument(format, connection);
  if (!options.quiet) printNote(`Whoever has this reads and writes everything in ${name}:\n`);
  printData(`${safeLine(connection.connection_string)}\n`);
  if (!options.quiet) printNote(`\nOpen it without showing it:\n\n  psql "$(svc db connect ${name} -q)"`);
}

import type { ManagedDatabase } from "@svc/contract";
import { openSession } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData, printNote } from "../output/print.ts";
import { renderTable } from "../output/render-table.ts";
import { showProgress } from "../output/show-progress.ts";
import { readableTime } from "../output/time.ts";

const HEADINGS = ["NAME", "STATUS", "SOURCE ID", "DATA SOURCE", "CREATED", "DESCRIPTION"];

export async function listDatabases(options: GlobalOptions): Promise<void> {
  const { api } = openSession(options);
  const databases = await showProgress("asking for the databases", api.listDatabases());
  const format = formatOf(options);
  if (format === "json" || format === "yaml") return printDocument(format, databases);
  if (databases.items.length === 0) return printNote("There is no database yet. Create one: svc db create <name>");
  printData(renderTable(HEADINGS, databases.items.map(toRow), process.stdout.columns));
}

function toRow(database: ManagedDatabase): string[] {
  const { name, source_id, data_source, created_at, description } = database;
  return [name, statusOf(database), source_id, data_source ? "on" : "off", readableTime(created_at), description ?? ""];
}

function statusOf({ status, delete_after }: ManagedDatabase): string {
  return delete_after === null ? status : `${status}, restorable until ${readableTime(delete_after)}`;
}

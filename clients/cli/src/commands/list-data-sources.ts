import { openSession } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData, printNote } from "../output/print.ts";
import { renderTable } from "../output/render-table.ts";
import { showProgress } from "../output/show-progress.ts";

const HEADINGS = ["ID", "NAME", "MIN ROLE", "FILTERS", "DESCRIPTION"];

export async function listDataSources(options: GlobalOptions): Promise<void> {
  const { api } = openSession(options);
  const sources = await showProgress("asking for the data sources", api.listAskableSources());
  const format = formatOf(options);
  if (format === "json" || format === "yaml") return printDocument(format, sources);
  if (sources.items.length === 0) {
    return printNote("There is no data source that you may ask. An owner or admin exposes one in the console.");
  }
  const rows = sources.items.map(({ id, name, min_role, filters, description }) => {
    const typed = Object.entries(filters).map(([column, type]) => `${column}:${type}`);
    return [id, name, min_role, typed.join(","), description ?? ""];
  });
  printData(renderTable(HEADINGS, rows, process.stdout.columns));
}

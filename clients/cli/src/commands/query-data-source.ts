import { openSession } from "../open-session.ts";
import { formatOf, type GlobalOptions } from "../options.ts";
import { printDocument } from "../output/print-document.ts";
import { printData } from "../output/print.ts";
import { renderAnswer, renderAnswerTable } from "../output/render-answer.ts";
import { showProgress } from "../output/show-progress.ts";

export interface QueryOptions extends GlobalOptions {
  /** Column to values; either of them matches. */
  filter?: Map<string, string[]>;
  topK?: number;
  target?: string;
}

export async function queryDataSource(options: QueryOptions, sourceId: string, query: string): Promise<void> {
  const { api } = openSession(options);
  const question = {
    query,
    ...(options.filter && { filters: toFilters(options.filter) }),
    ...(options.topK !== undefined && { top_k: options.topK }),
    ...(options.target !== undefined && { target: options.target }),
  };
  const answer = await showProgress(`asking ${sourceId}`, api.ask(sourceId, question));
  const format = formatOf(options);
  if (format === "json" || format === "yaml") return printDocument(format, answer);
  printData(format === "table" ? renderAnswerTable(answer, process.stdout.columns) : renderAnswer(answer));
}

/** Texts all of them: the service knows the type of each column and reads numbers and booleans from text. */
function toFilters(given: Map<string, string[]>): Record<string, string | string[]> {
  return Object.fromEntries([...given].map(([column, values]) => [column, values.length === 1 ? values[0]! : values]));
}

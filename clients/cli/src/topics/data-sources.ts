import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { act, addNamed, example, readName, readNumber } from "./describe-command.ts";

export function addDataSourceCommands(program: Command, words: readonly string[]): void {
  const topic = program
    .command("datasource")
    .description("ask the data sources of your organization")
    .addHelpText("after", example("svc datasource list", 'svc datasource query db_notes "who handles refunds?"'));
  addNamed(topic, words, { list: addList, query: addQuery });
}

function addList(topic: Command): void {
  topic
    .command("list")
    .description("list the data sources you may ask, and what you can filter by")
    .addHelpText("after", example("svc datasource list", "svc datasource list -o json"))
    .action(act(async () => (await import("../commands/list-data-sources.ts")).listDataSources));
}

function addQuery(topic: Command): void {
  topic
    .command("query")
    .description("search a data source by meaning")
    .argument("<source_id>", "id from svc datasource list", readName)
    .argument("<question>", "what you look for, in your own words")
    .option("--filter <column=value>", "only rows with this value; the same column again: or with that one", readFilter)
    .option("--top-k <number>", "how many hits, 1 to 20 (default: 10)", readNumber(1, 20, "--top-k"))
    .option("--target <label>", "search only this entry of the source")
    .addHelpText(
      "after",
      example(
        'svc datasource query db_notes "who handles refunds?"',
        'svc datasource query db_notes "refunds" --filter team=billing --filter team=support --top-k 3',
        'svc datasource query db_notes "refunds" -o json',
      ),
    )
    .action(act(async () => (await import("../commands/query-data-source.ts")).queryDataSource));
}

function readFilter(text: string, before: Map<string, string[]> = new Map()): Map<string, string[]> {
  const at = text.indexOf("=");
  if (at < 1)
    throw new CliError("INVALID_REQUEST", `--filter takes column=value, such as team=billing, not "${text}".`);
  const column = text.slice(0, at);
  return before.set(column, [...(before.get(column) ?? []), text.slice(at + 1)]);
}

import type { Command } from "commander";
import { act, addNamed, example } from "./describe-command.ts";

export function addContextCommands(program: Command, words: readonly string[]): void {
  const topic = program
    .command("context")
    .description("choose between saved logins")
    .addHelpText("after", example("svc context list", "svc context use app.example.com"));
  addNamed(topic, words, { list: addList, use: addUse, remove: addRemove });
}

function addList(topic: Command): void {
  topic
    .command("list")
    .description("list the saved logins")
    .option("-q, --quiet", "their names alone")
    .addHelpText("after", example("svc context list"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).listContexts));
}

function addUse(topic: Command): void {
  topic
    .command("use")
    .description("use another login from now on")
    .argument("<name>", "name from svc context list")
    .addHelpText("after", example("svc context use app.example.com"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).useContext));
}

function addRemove(topic: Command): void {
  topic
    .command("remove")
    .description("forget a login")
    .argument("<name>", "name from svc context list")
    .addHelpText("after", example("svc context remove app.example.com"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).removeContext));
}

import type { Command } from "commander";
import { act, addNamed, example, readName } from "./describe-command.ts";

export function addDatabaseCommands(program: Command, words: readonly string[]): void {
  const topic = program
    .command("db")
    .description("create databases and connect to them")
    .addHelpText("after", example("svc db create notes", 'psql "$(svc db connect notes -q)"'));
  addNamed(topic, words, {
    create: addCreate,
    list: addList,
    connect: addConnect,
    delete: addDelete,
    restore: addRestore,
    rotate: addRotate,
  });
}

function addCreate(topic: Command): void {
  topic
    .command("create")
    .description("create a database with pgvector, and wait until it is ready")
    .argument("<name>", "such as notes", readName)
    .option("--description <text>", "what is in it, for people and agents")
    .option("--no-wait", "return while it is being created")
    .addHelpText("after", example('svc db create notes --description "Notes of the support team"'))
    .action(act(async () => (await import("../commands/create-database.ts")).createDatabase));
}

function addList(topic: Command): void {
  topic
    .command("list")
    .description("list the databases")
    .addHelpText("after", example("svc db list"))
    .action(act(async () => (await import("../commands/list-databases.ts")).listDatabases));
}

function addConnect(topic: Command): void {
  topic
    .command("connect")
    .description("print the connection string of a database")
    .argument("<name>", "name of the database", readName)
    .option("-q, --quiet", "the connection string alone, without a word about it")
    .addHelpText("after", example('psql "$(svc db connect notes -q)"'))
    .action(act(async () => (await import("../commands/connect-database.ts")).connectDatabase));
}

function addDelete(topic: Command): void {
  topic
    .command("delete")
    .description("delete a database; for a while it can be restored")
    .argument("<name>", "name of the database", readName)
    .option("-y, --yes", "do not ask")
    .addHelpText("after", example("svc db delete notes", "svc db delete notes --yes"))
    .action(act(async () => (await import("../commands/change-database.ts")).deleteDatabase));
}

function addRestore(topic: Command): void {
  topic
    .command("restore")
    .description("bring back a deleted database")
    .argument("<name>", "name of the database", readName)
    .addHelpText("after", example("svc db restore notes"))
    .action(act(async () => (await import("../commands/change-database.ts")).restoreDatabase));
}

function addRotate(topic: Command): void {
  topic
    .command("rotate")
    .description("give a database a new password")
    .argument("<name>", "name of the database", readName)
    .option("-y, --yes", "do not ask")
    .addHelpText("after", example("svc db rotate notes --yes"))
    .action(act(async () => (await import("../commands/change-database.ts")).rotateDatabase));
}

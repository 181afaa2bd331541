import { Argument, Command, Option } from "commander";
import { OUTPUT_FORMATS } from "./options.ts";
import { act, addTopic, example, readNumber } from "./topics/add-command.ts";
import { addDatabaseCommands } from "./topics/databases.ts";
import { addDataSourceCommands } from "./topics/data-sources.ts";
import { addContextCommands, addLoginCommands } from "./topics/logins.ts";
import { VERSION } from "./version.ts";

/** Every command that `words` may mean, its options and its help. What each does is in commands/. */
export function createProgram(words: readonly string[]): Command {
  const program = new Command("svc")
    .description("Ask your organization's data sources, and look after its databases.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .configureHelp({ showGlobalOptions: true })
    // Whatever fails is said in one place, in the form that was asked for.
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addOption(new Option("-o, --output <format>", "how to print results").choices(OUTPUT_FORMATS))
    .option("--context <name>", "use this saved login")
    .option("--api-url <url>", "address of the service (or SVC_API_URL)")
    .option("--api-key <key>", "key to use; SVC_API_KEY keeps it out of the shell's history")
    .option("--timeout <seconds>", "how long to wait for an answer (default: 30)", readNumber(1, 3_600, "--timeout"))
    .option("--no-color", "print without color (or NO_COLOR)")
    .addHelpText(
      "after",
      example(
        "svc login --api-url https://app.example.com",
        "svc datasource list",
        'svc datasource query db_notes "who handles refunds?"',
      ),
    );

  addLoginCommands(program);
  addTopic(program, words, {
    name: "context",
    description: "choose between saved logins",
    examples: ["svc context list", "svc context use app.example.com"],
    add: addContextCommands,
  });
  addTopic(program, words, {
    name: "datasource",
    description: "ask the data sources of your organization",
    examples: ["svc datasource list", 'svc datasource query db_notes "who handles refunds?"'],
    add: addDataSourceCommands,
  });
  addTopic(program, words, {
    name: "db",
    description: "create databases and connect to them",
    examples: ["svc db create notes", 'psql "$(svc db connect notes -q)"'],
    add: addDatabaseCommands,
  });
  program
    .command("doctor")
    .description("look for what is wrong with this installation, the login and the way to the service")
    .option("--json", "same as --output json")
    .addHelpText("after", example("svc doctor"))
    .action(act(async () => (await import("./commands/run-doctor.ts")).runDoctor));
  program
    .command("completion")
    .description("print a script that completes commands in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", example("source <(svc completion bash)"))
    .action(
      act(async () => {
        const { printCompletion } = await import("./commands/print-completion.ts");
        return (_options, shell = "") => printCompletion(program, shell);
      }),
    );
  return program;
}

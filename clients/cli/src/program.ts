import { Command, Option } from "commander";
import { OUTPUT_FORMATS } from "./options.ts";
import { addNamed, example, readNumber } from "./topics/describe-command.ts";
import { addCompletionCommand } from "./topics/completion.ts";
import { addContextCommands } from "./topics/contexts.ts";
import { addDatabaseCommands } from "./topics/databases.ts";
import { addDataSourceCommands } from "./topics/data-sources.ts";
import { addDoctorCommand } from "./topics/doctor.ts";
import { addLoginCommand, addLogoutCommand, addStatusCommand } from "./topics/logins.ts";
import { VERSION } from "./version.ts";

/** In the order of the help. */
const COMMANDS = {
  login: addLoginCommand,
  logout: addLogoutCommand,
  status: addStatusCommand,
  context: addContextCommands,
  datasource: addDataSourceCommands,
  db: addDatabaseCommands,
  doctor: addDoctorCommand,
  completion: addCompletionCommand,
};

/** The commands that `words` may mean, their options and their help. What each does is in commands/. */
export function createProgram(words: readonly string[]): Command {
  const program = createRoot();
  addNamed(program, words, COMMANDS);
  return program;
}

function createRoot(): Command {
  return (
    new Command("svc")
      .description("Ask your organization's data sources, and look after its databases.")
      .version(VERSION, "-V, --version", "print the version")
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
      )
  );
}

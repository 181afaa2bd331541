import type { Command } from "commander";
import { act, example } from "./add-command.ts";

export function addLoginCommands(program: Command): void {
  program
    .command("login")
    .description("save a login; the key comes from --api-key, SVC_API_KEY, standard input or a prompt")
    .option("--force", "replace another login of the name given with --context")
    .addHelpText(
      "after",
      example(
        "svc login --api-url https://app.example.com",
        "svc login --api-url https://app.example.com --context work < key.txt",
      ),
    )
    .action(act(async () => (await import("../commands/log-in.ts")).logIn));

  program
    .command("logout")
    .description("forget the login in use, or the one of --context")
    .addHelpText("after", example("svc logout", "svc logout --context work"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).logOut));

  program
    .command("status")
    .description("show who you are logged in as, and where the key is kept")
    .option("--json", "same as --output json")
    .addHelpText("after", example("svc status", "svc status --json"))
    .action(act(async () => (await import("../commands/show-status.ts")).showStatus));
}

export function addContextCommands(topic: Command): void {
  topic
    .command("list")
    .description("list the saved logins")
    .option("-q, --quiet", "their names alone")
    .addHelpText("after", example("svc context list"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).listContexts));

  topic
    .command("use")
    .description("use another login from now on")
    .argument("<name>", "name from svc context list")
    .addHelpText("after", example("svc context use app.example.com"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).useContext));

  topic
    .command("remove")
    .description("forget a login")
    .argument("<name>", "name from svc context list")
    .addHelpText("after", example("svc context remove app.example.com"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).removeContext));
}

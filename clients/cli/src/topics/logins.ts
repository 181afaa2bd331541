import type { Command } from "commander";
import { act, example } from "./describe-command.ts";

export function addLoginCommand(program: Command): void {
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
}

export function addLogoutCommand(program: Command): void {
  program
    .command("logout")
    .description("forget the login in use, or the one of --context")
    .addHelpText("after", example("svc logout", "svc logout --context work"))
    .action(act(async () => (await import("../commands/manage-contexts.ts")).logOut));
}

export function addStatusCommand(program: Command): void {
  program
    .command("status")
    .description("show who you are logged in as, and where the key is kept")
    .option("--json", "same as --output json")
    .addHelpText("after", example("svc status", "svc status --json"))
    .action(act(async () => (await import("../commands/show-status.ts")).showStatus));
}

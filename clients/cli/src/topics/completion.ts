import { Argument, type Command } from "commander";
import { act, example } from "./describe-command.ts";

export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .description("print a script that completes commands in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", example("source <(svc completion bash)"))
    .action(
      act(async () => {
        const { printCompletion } = await import("../commands/print-completion.ts");
        return (_options, shell = "") => printCompletion(program, shell);
      }),
    );
}

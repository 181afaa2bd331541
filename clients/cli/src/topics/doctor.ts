import type { Command } from "commander";
import { act, example } from "./describe-command.ts";

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("look for what is wrong with this installation, the login and the way to the service")
    .option("--json", "same as --output json")
    .addHelpText("after", example("svc doctor"))
    .action(act(async () => (await import("../commands/run-doctor.ts")).runDoctor));
}

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBundle } from "../build-bundle.ts";

interface Outcome {
  exit: number | null;
  stdout: string;
  stderr: string;
}

export interface InstalledSvc {
  /** Path of the program. */
  path: string;
  /** Emptied with `forget`. */
  configDir: string;
  run(args: string[], options?: RunOptions): Promise<Outcome>;
  /** In a terminal: what a person would see, and what is typed at which sight. */
  runInTerminal(command: string, options?: RunOptions & { type?: [at: string, text: string][] }): Promise<Outcome>;
  forget(): void;
  remove(): void;
}

interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
}

/** The program as it is published, with a home of its own. */
export async function installSvc(): Promise<InstalledSvc> {
  const directory = mkdtempSync(join(tmpdir(), "svc-cli-"));
  const path = join(directory, "bin", "svc");
  const configDir = join(directory, "config");
  await buildBundle(path);
  const env = (given: Record<string, string> = {}): Record<string, string> => ({
    PATH: `${join(directory, "bin")}:${join(process.execPath, "..")}:/usr/bin:/bin`,
    HOME: directory,
    SVC_CONFIG_DIR: configDir,
    TERM: "xterm",
    ...given,
  });
  return {
    path,
    configDir,
    run: (args, options = {}) => execute(process.execPath, [path, ...args], env(options.env), options),
    runInTerminal: (command, options = {}) =>
      execute("script", ["-qec", command, "/dev/null"], env(options.env), options),
    forget: () => rmSync(configDir, { recursive: true, force: true }),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

function execute(
  program: string,
  args: string[],
  env: Record<string, string>,
  { stdin, type = [] }: RunOptions & { type?: [string, string][] },
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env });
    const outcome: Outcome = { exit: null, stdout: "", stderr: "" };
    const answers = [...type];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      outcome.stdout += chunk;
      const next = answers[0];
      if (next && outcome.stdout.includes(next[0])) {
        answers.shift();
        child.stdin.write(next[1]);
      }
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (outcome.stderr += chunk));
    child.stdin.on("error", () => undefined);
    if (type.length === 0) child.stdin.end(stdin ?? "");
    child.once("error", reject).once("close", (exit) => resolve({ ...outcome, exit }));
  });
}

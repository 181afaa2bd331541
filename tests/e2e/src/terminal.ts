import { spawn } from "node:child_process";
import { ROOT } from "@svc/dev";

export interface TerminalOutput {
  code: number;
  /** All that a person saw, without the colours. */
  text: string;
}

// oxlint-disable-next-line no-control-regex -- what a terminal is told besides text
const ESCAPES = /\u001b(\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007|[=>])|\r/g;

/** Runs a line as typed into a terminal at the root of the checkout: a real one, with a width and a keyboard. */
export async function type(line: string, env: Record<string, string>): Promise<TerminalOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], HOME: "/nonexistent", TERM: "xterm-256color", COLUMNS: "120", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, text: text.replace(ESCAPES, "") }));
  });
}

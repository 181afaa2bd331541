import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** A line typed at the terminal, of which nothing is shown. */
export async function readSecret(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // Not before the terminal has stopped to show what is typed.
  process.stderr.write(question);
  return new Promise((resolve) => {
    terminal.once("SIGINT", () => {
      process.stderr.write("\n");
      process.exit(130);
    });
    terminal.once("line", (line) => {
      resolve(line);
      terminal.close();
    });
    terminal.once("close", () => {
      process.stderr.write("\n");
      resolve("");
    });
  });
}

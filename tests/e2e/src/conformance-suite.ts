import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

export interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
  description: string;
  details?: unknown;
}

/** By scenario. */
export type Results = Map<string, Check[]>;

const require = createRequire(import.meta.url);
const PROGRAM = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js");

interface Watch {
  onLine(line: string): void;
  signal: AbortSignal;
}

/** What the suite found; how its program ends says less. */
export async function runSuite(args: string[], watch?: Watch): Promise<Results> {
  const directory = await mkdtemp(join(tmpdir(), "svc-conformance-"));
  try {
    const lines = await runProgram([...args, "--output-dir", directory], watch);
    const found = await readResults(directory);
    if (found.size === 0) throw new Error(`the suite ran nothing:\n${lines.join("\n")}`);
    return found;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export async function listServerScenarios(): Promise<string[]> {
  const lines = await runProgram(["list", "--server"]);
  return lines.flatMap((line) => /^ *- (\S+)/.exec(line)?.[1] ?? []);
}

async function runProgram(args: string[], watch?: Watch): Promise<string[]> {
  const { onLine, signal } = watch ?? {};
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "inherit"], signal });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    onLine?.(line);
  });
  await once(child, "close");
  return lines;
}

/** The suite makes a directory for each scenario: what was tested, the scenario, the time. */
async function readResults(directory: string): Promise<Results> {
  const results: Results = new Map();
  for (const name of (await readdir(directory)).toSorted()) {
    const scenario = /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
    results.set(scenario, JSON.parse(await readFile(join(directory, name, "checks.json"), "utf8")) as Check[]);
  }
  return results;
}

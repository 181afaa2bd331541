import { execFile } from "node:child_process";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./private-services.ts";

const run = promisify(execFile);
const PACKAGE = join(ROOT, "clients/console");
const BUILT_FROM = ["clients/console/src", "clients/console/public", "clients/http/src", "contract/src"];

interface ConsoleBuild {
  /** Where the files go; by default where `pnpm --filter @svc/console build` puts them. */
  directory?: string;
  /** "development" has the page of patterns. */
  mode?: "production" | "development";
}

/** Builds the console unless what is there is newer than everything it is made of; answers with its directory. */
export async function buildConsole({
  directory = join(PACKAGE, "dist/site"),
  mode = "production",
}: ConsoleBuild = {}): Promise<string> {
  const builtAt = await stat(join(directory, "index.html")).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const changedAt = await Promise.all(BUILT_FROM.map((path) => newestIn(join(ROOT, path))));
  if (builtAt > Math.max(...changedAt)) return directory;
  const vite = join(PACKAGE, "node_modules/vite/bin/vite.js");
  // Beside it and then in its place: another process may be serving what is there, or building it too.
  const fresh = `${directory}.${process.pid}`;
  const options = ["--mode", mode, "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"];
  // Who runs tests has another NODE_ENV, with which React would be the one for development: twice as large and slow.
  const env = { ...process.env, NODE_ENV: "production" };
  await run(process.execPath, [vite, "build", ...options], { cwd: PACKAGE, env });
  await rm(directory, { recursive: true, force: true });
  await rename(fresh, directory);
  return directory;
}

async function newestIn(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const times = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).mtimeMs));
  return Math.max(0, ...times);
}

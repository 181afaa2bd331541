import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const SERVICES = fileURLToPath(new URL("../../../tools/services", import.meta.url));

export interface PrivateRedis {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** A server of its own for a test that takes it away; the shared one serves everybody else. */
export async function startPrivateRedis(): Promise<PrivateRedis> {
  const directory = await mkdtemp(join(tmpdir(), "svc-redis-"));
  const services = async (command: "start" | "stop"): Promise<void> => {
    await run(SERVICES, [command, "redis"], { env: { ...process.env, SVC_DEV_DIR: directory } });
  };
  // Far from the ports that others get by default, one of whom might take ours while it is stopped.
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  await writeFile(join(directory, "services.env"), `SVC_REDIS_PORT=${port}\n`);
  await services("start");
  const settings = await readFile(join(directory, "services.env"), "utf8");
  const url = /^SVC_REDIS_URL=(.+)$/m.exec(settings)?.[1];
  if (!url) throw new Error("tools/services did not say where Redis is");
  return {
    url,
    stop: () => services("stop"),
    start: () => services("start"),
    remove: async () => {
      await services("stop");
      await rm(directory, { recursive: true });
    },
  };
}

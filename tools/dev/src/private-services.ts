import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv, promisify } from "node:util";

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export interface PrivateServices {
  directory: string;
  postgresAdminUrl: string;
  redisUrl: string;
  /** `start`, `stop` or `restart` of one of them, to see what svc makes of it. */
  control(command: "start" | "stop" | "restart", service: "postgres" | "redis"): Promise<void>;
  destroy(): Promise<void>;
}

/** Postgres and Redis that nobody else uses: roles belong to a whole cluster, and these tests break things. */
export async function startPrivateServices(): Promise<PrivateServices> {
  const directory = await mkdtemp(join(tmpdir(), "svc-e2e-"));
  // The user that Postgres runs as must get through to its data; the passwords have a file mode of their own.
  await chmod(directory, 0o755);
  const services = (...args: string[]) =>
    run(join(ROOT, "tools/services"), args, { env: { PATH: process.env["PATH"], SVC_DEV_DIR: directory } });
  // Chosen at random: from the usual ones on, another stack could take the port of a server that a test has stopped.
  const port = 20_000 + 2 * Math.floor(Math.random() * 1_000);
  const ports = `SVC_POSTGRES_PORT=${port}\nSVC_REDIS_PORT=${port + 1}\n`;
  await writeFile(join(directory, "services.env"), ports, { mode: 0o600 });
  await services("start");
  const env = parseEnv(await readFile(join(directory, "services.env"), "utf8"));
  return {
    directory,
    postgresAdminUrl: env["SVC_POSTGRES_ADMIN_URL"] ?? "",
    redisUrl: env["SVC_REDIS_URL"] ?? "",
    control: async (command, service) => void (await services(command, service)),
    destroy: async () => {
      await services("stop");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

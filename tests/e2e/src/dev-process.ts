import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type PrivateServices, ROOT } from "@svc/dev";
import { waitUntil } from "@svc/platform/testing";

export interface DevProcess {
  output(): string;
  seconds: number;
  /** Of the demo organization's owner, as it was printed. */
  token: string;
  /** As Ctrl-C does, if it still runs; answers the exit code. */
  stop(): Promise<number>;
}

export function spawnDev(services: PrivateServices, firstPort: number): ChildProcess {
  return spawn(join(ROOT, "tools/dev/start"), [], {
    env: {
      ...process.env,
      NO_COLOR: "1",
      SVC_DEV_DIR: services.directory,
      SVC_DEV_PORT: String(firstPort),
      SVC_POSTGRES_ADMIN_URL: services.postgresAdminUrl,
      SVC_REDIS_URL: services.redisUrl,
    },
  });
}

/** `pnpm dev` as a person starts it, up to the line that says it is ready. */
export async function startDev(services: PrivateServices, firstPort: number): Promise<DevProcess> {
  const startedAt = performance.now();
  const running = spawnDev(services, firstPort);
  let output = "";
  for (const stream of [running.stdout, running.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await waitUntil(() => output.includes("API token"), 100_000).catch((error: unknown) => {
    running.kill("SIGTERM");
    throw new Error(`pnpm dev was not ready; it said: ${output.slice(-1_000)}`, { cause: error });
  });
  return {
    output: () => output,
    seconds: (performance.now() - startedAt) / 1_000,
    token: /API token +(svc_\w+)/.exec(output)?.[1] ?? "",
    stop: async () => {
      if (running.exitCode !== null) return running.exitCode;
      running.kill("SIGINT");
      const [code] = (await once(running, "close")) as [number];
      return code;
    },
  };
}

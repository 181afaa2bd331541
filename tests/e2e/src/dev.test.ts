import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createApiClient } from "@svc/http-client";
import { waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PrivateServices, ROOT, startPrivateServices } from "./private-services.ts";

const FIRST_PORT = 14_700;

let services: PrivateServices;
let running: ChildProcess | undefined;

beforeAll(async () => {
  services = await startPrivateServices();
});

afterAll(async () => {
  running?.kill("SIGKILL");
  await services?.destroy();
});

/** `pnpm dev` as a person starts it, up to the line that says it is ready. */
async function startDev(): Promise<{ output: () => string; seconds: number }> {
  const startedAt = performance.now();
  let output = "";
  running = spawn(join(ROOT, "tools/dev/start"), [], {
    env: {
      ...process.env,
      NO_COLOR: "1",
      SVC_DEV_DIR: services.directory,
      SVC_DEV_PORT: String(FIRST_PORT),
      SVC_POSTGRES_ADMIN_URL: services.postgresAdminUrl,
      SVC_REDIS_URL: services.redisUrl,
    },
  });
  for (const stream of [running.stdout, running.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await waitUntil(() => output.includes("API token"), 60_000, `pnpm dev being ready; it said: ${output.slice(-500)}`);
  return { output: () => output, seconds: (performance.now() - startedAt) / 1_000 };
}

async function stopDev(): Promise<void> {
  if (!running) return;
  running.kill("SIGINT");
  const [code] = await once(running, "close");
  expect(code).toBe(0);
}

it("starts everything on an empty database, prints a token that works, and does so again faster", async () => {
  const first = await startDev();
  expect(first.output()).toContain("applied");
  const token = /API token +(svc_\w+)/.exec(first.output())?.[1] ?? "";
  const client = createApiClient({ baseUrl: `http://127.0.0.1:${FIRST_PORT}`, token: () => token });
  expect(await client.whoAmI()).toMatchObject({ kind: "api_token", role: "owner", org: { name: "Demo" } });
  const login = /sign in +(http\S+)/.exec(first.output())?.[1] ?? "";
  expect(await (await fetch(login)).text()).toContain("Continue with Google");
  for (const opsPort of [1, 3, 5, 7, 9]) {
    const response = await fetch(`http://127.0.0.1:${FIRST_PORT + opsPort}/readyz`);
    expect([opsPort, response.status]).toEqual([opsPort, 200]);
  }
  await stopDev();

  const second = await startDev();
  expect(second.output()).toContain("nothing to do");
  expect(second.output()).toContain(token);
  expect(second.seconds).toBeLessThan(15);
  await stopDev();
});

it("says which port is taken and how to choose others", async () => {
  await startDev();
  const other = spawn(join(ROOT, "tools/dev/start"), [], {
    env: {
      ...process.env,
      SVC_DEV_DIR: services.directory,
      SVC_DEV_PORT: String(FIRST_PORT),
      SVC_POSTGRES_ADMIN_URL: services.postgresAdminUrl,
      SVC_REDIS_URL: services.redisUrl,
    },
  });
  let output = "";
  other.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(other, "close");
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("SVC_DEV_PORT") });
  await stopDev();
});

import { once } from "node:events";
import { createServer } from "node:net";
import { type PrivateServices, startPrivateServices } from "@svc/dev";
import { createApiClient } from "@svc/http-client";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type DevProcess, spawnDev, startDev } from "./dev-process.ts";

const FIRST_PORT = 14_700;

let services: PrivateServices;
let running: DevProcess | undefined;

beforeAll(async () => {
  services = await startPrivateServices();
});

// Also where a test failed half way: the next one needs the ports.
afterEach(async () => {
  await running?.stop();
});

afterAll(() => services?.destroy());

it("starts everything on an empty database, prints a token that works, and does so again faster", async () => {
  running = await startDev(services, FIRST_PORT);
  const { token } = running;
  expect(running.output()).toContain("applied");
  const client = createApiClient({ baseUrl: `http://127.0.0.1:${FIRST_PORT}`, token: () => token });
  expect(await client.whoAmI()).toMatchObject({ kind: "api_token", role: "owner", org: { name: "Demo" } });
  const console = /console +(http\S+)/.exec(running.output())?.[1] ?? "";
  expect(await (await fetch(console)).text()).toContain("<title>svc</title>");
  expect(await (await fetch(`${console}/login`)).text()).toContain("Continue with Google");
  for (const opsPort of [1, 3, 5, 7, 9]) {
    const response = await fetch(`http://127.0.0.1:${FIRST_PORT + opsPort}/readyz`);
    expect([opsPort, response.status]).toEqual([opsPort, 200]);
  }
  expect(await running.stop()).toBe(0);

  running = await startDev(services, FIRST_PORT);
  expect(running.output()).toContain("nothing to do");
  expect(running.token).toBe(token);
  // Five seconds on an idle machine; here other tests run beside it.
  expect(running.seconds).toBeLessThan(45);
  expect(await running.stop()).toBe(0);
});

it("says which port is taken and how to choose others", async () => {
  const taken = createServer().listen(FIRST_PORT + 3, "127.0.0.1");
  await once(taken, "listening");
  const dev = spawnDev(services, FIRST_PORT);
  let output = "";
  dev.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(dev, "close");
  taken.close();
  expect(code).toBe(1);
  expect(output).toContain(`Port ${FIRST_PORT + 3} is taken`);
  expect(output).toContain("SVC_DEV_PORT");
});

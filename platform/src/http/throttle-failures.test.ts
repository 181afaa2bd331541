import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { FastifyRequest } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../errors/index.ts";
import { recordingLogger, silentLogger, waitUntil } from "../testing/index.ts";
import { createServer, type Server } from "./create-server.ts";
import { recognizeService, SERVICE_HEADER, signServiceAssertion } from "./service-assertion.ts";
import { networkOf, noteFailure } from "./throttle-failures.ts";

const SECRET = randomBytes(32).toString("hex");
const LIMIT = { failures: 5, perSeconds: 60 };
let app: Server;

afterEach(() => app?.close());

async function start(): Promise<void> {
  const isFromOurService = recognizeService(SECRET, { to: "auth-service", right: "tokens:validate" });
  app = await createServer({ log: silentLogger(), title: "throttled", failureLimit: LIMIT, isFromOurService });
  app.get("/good", async () => "good");
  app.get("/bad", async () => {
    throw new AppError("UNAUTHENTICATED", "no");
  });
  app.get("/quietly-bad", async (request) => {
    noteFailure(request);
    return "no";
  });
}

const get = async (url: string, remoteAddress: string, headers = {}) => {
  const { statusCode, headers: answered } = await app.inject({ url, remoteAddress, headers });
  return { status: statusCode, retryAfter: answered["retry-after"] };
};

describe("an address that shows bad credentials", () => {
  it.each(["/bad", "/quietly-bad"])("is turned away after too many, and told for how long: %s", async (url) => {
    await start();
    for (let n = 0; n <= LIMIT.failures; n += 1) expect((await get(url, "198.51.100.1")).status).not.toBe(429);
    const { status, retryAfter } = await get("/good", "198.51.100.1");
    expect(status).toBe(429);
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect((await get("/good", "198.51.100.2")).status).toBe(200);
  });

  it("cannot go on from another address of its own /64", async () => {
    await start();
    for (let n = 0; n <= LIMIT.failures; n += 1) await get("/bad", `2001:db8:1:2::${n + 1}`);
    expect((await get("/good", "2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await get("/good", "2001:db8:1:3::1")).status).toBe(200);
  });

  it("is not a service of ours that passes on what others show it", async () => {
    await start();
    const assertion = await signServiceAssertion(SECRET, {
      from: "api-gateway",
      to: "auth-service",
      right: "tokens:validate",
    });
    const headers = { [SERVICE_HEADER]: assertion };
    for (let n = 0; n < 20; n += 1) expect((await get("/quietly-bad", "10.0.0.1", headers)).status).toBe(200);
    const forged = await signServiceAssertion(randomBytes(32).toString("hex"), {
      from: "api-gateway",
      to: "auth-service",
      right: "tokens:validate",
    });
    for (let n = 0; n < 20; n += 1) await get("/quietly-bad", "10.0.0.2", { [SERVICE_HEADER]: forged });
    expect((await get("/good", "10.0.0.2", { [SERVICE_HEADER]: forged })).status).toBe(429);
  });
});

it("carries out nothing for a caller that is gone, and that is not our fault", async () => {
  const { log, lines } = recordingLogger();
  const isFromOurService = async ({ raw }: FastifyRequest): Promise<boolean> => {
    if (!raw.socket.closed) await once(raw.socket, "close");
    return false;
  };
  app = await createServer({ log, title: "left", failureLimit: LIMIT, isFromOurService });
  let answered = 0;
  app.get("/good", async () => (answered += 1));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /good HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(app.server, "request");
  socket.destroy();
  await waitUntil(() => lines.some(({ msg }) => msg === "request refused"));
  expect([answered, lines.filter(({ level }) => level === "error")]).toEqual([0, []]);
});

describe("the network of an address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
  ])("%s is %s", async (address, network) => {
    await start();
    expect(networkOf(address)).toBe(network);
  });
});

describe("memory", () => {
  it("counts anew after the time, so that nobody is kept out for an old mistake", async () => {
    app = await createServer({ log: silentLogger(), title: "short", failureLimit: { failures: 1, perSeconds: 0.2 } });
    app.get("/bad", async () => {
      throw new AppError("UNAUTHENTICATED", "no");
    });
    for (let n = 0; n < 2; n += 1) await get("/bad", "198.51.100.9");
    expect((await get("/bad", "198.51.100.9")).status).toBe(429);
    await waitUntil(async () => (await get("/bad", "198.51.100.9")).status === 401, 2_000);
  });
});

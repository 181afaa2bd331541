import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareStack, type PrivateServices, type Stack, startPrivateServices } from "@svc/dev";

const FLOOD_PER_SECOND = 200;
const FLOOD_SECONDS = 4;
/** Whatever else the machine does only ever adds to a measured time, so the least of a few rounds is the nearest. */
const ROUNDS = 5;
/** The whole of 127.0.0.0/8 is this machine, so one test can come from two addresses. */
const GOOD_ADDRESS = "127.0.0.1";

let services: PrivateServices;
let stack: Stack;
let authUrl: string;
let token: string;

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  authUrl = (await stack.start("auth-service")).url;
  token = await stack.issueToken();
});

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

function post(path: string, body: object, localAddress: string): Promise<{ status: number; ms: number; body: string }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const outgoing = request(
      `${authUrl}${path}`,
      { method: "POST", localAddress, headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, ms: performance.now() - startedAt, body: text }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(body));
  });
}

/** The 95th percentile of a caller that goes on with its work at about 100 requests a second. */
async function goodCallerP95(requests: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < requests; n += 1) {
    const { status, ms, body } = await post("/api/v1/tokens/validate", { token }, GOOD_ADDRESS);
    expect([status, JSON.parse(body).valid]).toEqual([200, true]);
    times.push(ms);
    await sleep(5);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(requests * 0.95)] ?? 0;
}

/** A bounded flood: so many a second for so long, then it ends by itself. */
async function flood(path: string, makeBody: () => object, localAddress: string): Promise<number[]> {
  const answers: Promise<{ status: number }>[] = [];
  for (let tick = 0; tick < FLOOD_SECONDS * 20; tick += 1) {
    for (let n = 0; n < FLOOD_PER_SECOND / 20; n += 1) answers.push(post(path, makeBody(), localAddress));
    await sleep(50);
  }
  return (await Promise.all(answers)).map(({ status }) => status);
}

describe("200 bad credentials a second from one address", () => {
  it.each([
    ["tokens", "/api/v1/tokens/validate", () => ({ token: randomBytes(30).toString("base64url") }), "127.0.0.2"],
    ["codes", "/api/v1/session/exchange", () => ({ code: randomBytes(30).toString("base64url") }), "127.0.0.3"],
  ] as const)("%s: are turned away, and a good caller does not notice", async (_what, path, makeBody, address) => {
    const calm: number[] = [];
    const stormy: number[] = [];
    const isUnnoticed = () => Math.min(...stormy) < Math.min(...calm) * 2.5 + 5;
    for (let round = 0; round < ROUNDS && !isUnnoticed(); round += 1) {
      calm.push(await goodCallerP95(200));
      const [statuses, p95] = await Promise.all([flood(path, makeBody, address), goodCallerP95(200)]);
      stormy.push(p95);
      const turnedAway = statuses.filter((status) => status === 429).length;
      process.stderr.write(
        `p95 of a good caller: ${calm.at(-1)?.toFixed(1)} ms alone, ${p95.toFixed(1)} ms beside a flood of ${statuses.length}, ${turnedAway} turned away\n`,
      );
      expect(turnedAway).toBeGreaterThan(statuses.length * 0.8);
    }
    // Both share two cores with the flood's own client, so a little more is the machine's.
    expect(isUnnoticed(), `alone ${calm.join(", ")} ms, beside the flood ${stormy.join(", ")} ms`).toBe(true);
  });
});

import { Agent, request } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HostileMessage, hostileMessages } from "./testing/hostile-messages.ts";
import { seededRandom } from "./testing/seeded-random.ts";
import { createMcpFixture, type McpFixture } from "./testing/mcp-fixture.ts";

const MESSAGES = 4_000;
const AT_ONCE = 8;
const LONGEST_MS = 5_000;
const STACK = /node_modules|\.ts:\d|\.mjs:\d|at \w+ \(/;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let mcp: McpFixture;
let token: string;
const connections = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  mcp = await createMcpFixture({ LOG_LEVEL: "error" });
  token = mcp.tokenOf(mcp.auth.createGrant(["data:read"]));
});
afterAll(async () => {
  connections.destroy();
  await mcp.close();
});

interface Seen {
  status: number;
  text: string;
  ms: number;
}

function send({ method, headers, body }: HostileMessage): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(
      mcp.url,
      {
        method,
        agent: connections,
        headers: {
          authorization: `Bearer ${token}`,
          ...headers,
          ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
        },
        timeout: LONGEST_MS,
      },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk)));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - startedAt }),
        );
      },
    );
    sent.on("timeout", () => sent.destroy(new Error(`no answer to ${JSON.stringify({ method, headers, body })}`)));
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Sends them all. Answers how often each status came, and what should not have come at all. */
async function sendAll(seed: number, count: number): Promise<{ statuses: Map<number, number>; faults: string[] }> {
  const messages = hostileMessages(seed, count);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const sendOn = async (): Promise<void> => {
    for (const message of messages) {
      const { status, text, ms } = await send(message);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const isFault = status >= 500 || status === 401 || ms > LONGEST_MS || STACK.test(text);
      if (isFault) faults.push(`${status} ${text.slice(0, 500)} for ${JSON.stringify(message).slice(0, 2_000)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  return { statuses, faults };
}

it(
  `answers ${MESSAGES} hostile messages without a fault, a wait or a growing memory`,
  { timeout: 240_000 },
  async () => {
    const first = await sendAll(1, MESSAGES / 4);
    const before = usedMegabytes();
    const { statuses, faults } = await sendAll(2, (MESSAGES * 3) / 4);
    expect([...first.faults, ...faults]).toEqual([]);
    // Far enough into the service to mean something: answered, refused by the protocol, and refused by the address.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(MESSAGES / 10);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(MESSAGES / 50);
    expect(usedMegabytes() - before).toBeLessThan(30);
    expect(mcp.logged()).not.toMatch(/"level":"(error|fatal)"/);
  },
);

it("answers 2,000 forged credentials with 401 alone", { timeout: 60_000 }, async () => {
  const random = seededRandom(4);
  const statuses = new Set<number>();
  for (let n = 0; n < 2_000; n += 1) {
    const at = random.below(token.length);
    // Not +, / and =, which some read for - and _ and for nothing: the same token, then.
    const other = random.pick("ABCXYZabcxyz0189.~!:;,@%&*()[]{}<>?|^`".split(""));
    const forged = random.pick([
      token.slice(0, at),
      // The last character of a signature holds two bits that mean nothing.
      at < token.length - 1 && token[at] !== other ? token.slice(0, at) + other + token.slice(at + 1) : "x",
      token + other,
      token.slice(0, at).repeat(1 + random.below(20)),
      `${other}.${other}.${other}`,
      token.split(".").toReversed().join("."),
    ]);
    const message = { method: "POST", headers: {}, body: "{}" };
    statuses.add((await send({ ...message, headers: { authorization: `Bearer ${forged}` } })).status);
  }
  expect([...statuses]).toEqual([401]);
});

/** Of what is still needed; what the stand-ins keep of each request is taken away before. */
function usedMegabytes(): number {
  mcp.forget();
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

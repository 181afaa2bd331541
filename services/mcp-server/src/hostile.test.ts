import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { exchange, type Exchanged } from "@svc/platform/http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { forgedCredentials } from "./testing/forged-credentials.ts";
import { type HostileMessage, hostileMessages } from "./testing/hostile-messages.ts";
import { createMcpFixture, type McpFixture } from "./testing/mcp-fixture.ts";

/** With the 8,000 requests that the authorization server gets in its own test, 20,000. */
const MESSAGES = 9_000;
const FORGED = 3_000;
const AT_ONCE = 16;
const LONGEST_MS = 20_000;
const STACK = /node_modules|\.ts:\d|\.mjs:\d|at \w+ \(/;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let mcp: McpFixture;
let token: string;
/** In turn. Of an agent's each costs two more requests between services, so most are a person's own. */
let tokens: string[];

beforeAll(async () => {
  mcp = await createMcpFixture({ LOG_LEVEL: "error" });
  token = mcp.tokenOf(mcp.auth.createGrant(["data:read"]));
  const own = mcp.auth.createApiToken();
  tokens = [token, own, own, own];
});
afterAll(() => mcp.close());

interface Seen {
  statuses: Map<number, number>;
  /** What should not have come at all. */
  faults: string[];
}

/** Over connections that stay open. No answer in time is a failure of the test. */
async function sendAll(messages: Iterator<HostileMessage> & Iterable<HostileMessage>): Promise<Seen> {
  const seen: Seen = { statuses: new Map(), faults: [] };
  const url = new URL(mcp.url);
  let sent = 0;
  const sendOn = async (): Promise<void> => {
    for (const { method, headers, body } of messages) {
      const authorization = `Bearer ${tokens[sent++ % tokens.length]}`;
      const request = { method, headers: { authorization, ...headers }, ...(body !== undefined && { body }) };
      const send = (): Promise<Exchanged> => exchange(url, { ...request, timeoutMs: LONGEST_MS });
      const first = await send();
      // A machine that stands still for seconds makes services give up on each other, whatever the message.
      const { status, text } = first.status === 503 ? await send() : first;
      seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
      if (status >= 500 || STACK.test(text)) {
        seen.faults.push(`${status} ${text.slice(0, 500)} for ${JSON.stringify(request).slice(0, 2_000)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  return seen;
}

it(
  `answers ${MESSAGES} hostile messages without a fault, a wait or a growing memory`,
  { timeout: 240_000 },
  async () => {
    const first = await sendAll(hostileMessages(1, MESSAGES / 4));
    const before = usedMegabytes();
    const { statuses, faults } = await sendAll(hostileMessages(2, (MESSAGES * 3) / 4));
    expect([...first.faults, ...faults]).toEqual([]);
    // Far enough into the service to mean something: answered, refused by the protocol, and refused by the address.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(MESSAGES / 10);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(MESSAGES / 50);
    expect(statuses.get(401)).toBeUndefined();
    expect(usedMegabytes() - before).toBeLessThan(10);
    expect(mcp.logged()).toBe("");
  },
);

it(`answers ${FORGED} forged credentials with 401 alone`, { timeout: 60_000 }, async () => {
  const { statuses } = await sendAll(forgedCredentials(4, FORGED, token));
  expect([...statuses]).toEqual([[401, FORGED]]);
});

/** Of what is still needed; what the stand-ins keep of each request is taken away before. */
function usedMegabytes(): number {
  mcp.forget();
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

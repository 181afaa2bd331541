import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { exchange } from "@svc/platform/http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CALLBACK, type ConnectorFixture, createConnectorFixture, RESOURCE } from "../../testing/connector-fixture.ts";
import { type HostileRequest, hostileRequests } from "../../testing/hostile-oauth-requests.ts";

/** With the 12,000 messages that the MCP server gets in its own test, 20,000. */
const REQUESTS = 8_000;
const AT_ONCE = 16;
const LONGEST_MS = 20_000;
const STACK = /node_modules|\.ts:\d|\.js:\d|at \w+ \(/;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let fixture: ConnectorFixture;
let hostile: fc.Arbitrary<HostileRequest>;

beforeAll(async () => {
  // Nothing that a generated client names may be looked up for real.
  fixture = await createConnectorFixture({ guard: { resolve: async () => [] } });
  const org = await fixture.createTestOrg("Fuzz");
  const agent = await fixture.newRegisteredAgent();
  const { clientId: client_id } = agent;
  const { refresh_token } = await fixture.connect(agent, org.members.viewer.email);
  const code = { code: "x".repeat(43), code_verifier: "v".repeat(43), redirect_uri: CALLBACK, resource: RESOURCE };
  hostile = hostileRequests({
    authorize: Object.fromEntries(new URL(agent.authorizeUrl()).searchParams),
    renew: { grant_type: "refresh_token", refresh_token, client_id },
    redeem: { grant_type: "authorization_code", ...code, client_id },
    revoke: { token: "x".repeat(43), token_type_hint: "refresh_token", client_id },
    register: { client_name: "x", redirect_uris: [CALLBACK], response_types: ["code"] },
  });
});

afterAll(() => fixture?.close());

interface Seen {
  statuses: Map<number, number>;
  /** What should not have come at all. */
  faults: string[];
}

/** Over connections that stay open. No answer in time is a failure of the test. */
async function sendAll(count: number): Promise<Seen> {
  const seen: Seen = { statuses: new Map(), faults: [] };
  const requests = fc.sample(hostile, count).values();
  const sendOn = async (): Promise<void> => {
    for (const { method, path, headers, body } of requests) {
      const url = new URL(fixture.issuer + path);
      const sent = { method, headers, ...(body !== undefined && { body }), timeoutMs: LONGEST_MS };
      const { status, headers: answered, text } = await exchange(url, sent);
      seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
      const isFault = isOurs(status, text) || STACK.test(text) || !isKnown(answered.location);
      if (!isFault) continue;
      seen.faults.push(`${status} ${answered.location ?? text.slice(0, 500)} for ${JSON.stringify({ path, ...sent })}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  return seen;
}

/** That a client's own host is away is no fault of ours. */
function isOurs(status: number, text: string): boolean {
  return status >= 500 && !(status === 503 && text.includes("metadata document cannot be fetched"));
}

function isKnown(location: string | undefined): boolean {
  const { origin } = new URL(location ?? "", fixture.issuer);
  return [fixture.issuer, new URL(CALLBACK).origin].includes(origin);
}

it(
  `answers ${REQUESTS} generated requests without an error of its own, a wait or a growing memory, and redirects to no stranger`,
  { timeout: 240_000 },
  async () => {
    const first = await sendAll(REQUESTS / 4);
    const before = usedMegabytes();
    const { statuses, faults } = await sendAll((REQUESTS * 3) / 4);
    expect([...first.faults, ...faults]).toEqual([]);
    // Otherwise the generator only ever met the first check.
    for (const status of [200, 201, 303, 400, 401, 429]) expect([status, statuses.has(status)]).toEqual([status, true]);
    expect(statuses.get(303)).toBeGreaterThan(REQUESTS / 10);
    expect(usedMegabytes() - before).toBeLessThan(10);
  },
);

function usedMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXCEPTIONS, type Exceptions, NOT_RUN, REVISIONS, type Revision } from "./conformance-exceptions.ts";
import { type BearerForwarder, startBearerForwarder } from "./conformance-forwarder.ts";
import { type Check, listServerScenarios, type Results, runSuite } from "./conformance-suite.ts";
import type { Agent } from "./connect-agent-client.ts";
import type { ConnectStack } from "./connect-agent-stack.ts";

interface ConformanceOptions {
  world: ConnectStack;
  /** A person who lets the suite in. */
  email: string;
}

/** The suite of those who make the protocol, against the services as they run. */
export function describeConformance(read: () => ConformanceOptions): void {
  describe("by the protocol's own suite", () => {
    let agent: Agent;
    let forwarder: BearerForwarder;
    const runs = new Map<Revision, Promise<Results>>();
    const runFor = (revision: Revision): Promise<Results> => {
      const run = runs.get(revision) ?? runSuite(["server", "--url", forwarder.url, "--requirements", revision]);
      runs.set(revision, run);
      return run;
    };

    beforeAll(async () => {
      const { world, email } = read();
      agent = world.startAgent("Handbook agent");
      await (await world.letIn(agent, email)).context.close();
      forwarder = await startBearerForwarder(world.endpoint, agent.memory.tokens?.access_token ?? "");
    });
    afterAll(() => forwarder?.close());

    it("the authorization server passes every scenario", async () => {
      const results = await runAuthorization(read(), agent.memory.registration?.client_id ?? "");
      print("authorization", results, {});
      expect([...results.keys()]).toEqual(["authorization-code-grant", "authorization-server-metadata-endpoint"]);
      expect(unmetOf(results)).toEqual({});
    });

    it.each(REVISIONS)("the MCP server passes all of %s but what is not about it", async (revision) => {
      const results = await runFor(revision);
      print(`server ${revision}`, results, EXCEPTIONS[revision]);
      expect(unmetOf(results)).toEqual(expectedOf(EXCEPTIONS[revision]));
    });

    it("no scenario is left out but those that are named", async () => {
      const ran = new Set((await Promise.all(REVISIONS.map(runFor))).flatMap((results) => [...results.keys()]));
      const left = (await listServerScenarios()).filter((scenario) => !ran.has(scenario));
      expect(left).toEqual(NOT_RUN);
    });
  });
}

/** The suite names an address and waits until somebody has allowed it there. */
async function runAuthorization({ world, email }: ConformanceOptions, clientId: string): Promise<Results> {
  const named = Promise.withResolvers<URL | undefined>();
  const stop = new AbortController();
  const onLine = (line: string): void => {
    if (line.startsWith(`${world.base}/oauth/authorize?`)) named.resolve(new URL(line));
  };
  const allow = async (): Promise<void> => {
    const address = await named.promise;
    if (!address) return;
    const { page, context } = await world.openConsent(address, email);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL((url) => url.pathname === "/callback");
    await context.close();
  };
  const where = ["--url", world.base, "--resource", world.endpoint, "--port", String(await freePort())];
  const suite = runSuite(["authorization", "--client-id", clientId, ...where], { onLine, signal: stop.signal });
  try {
    const [results] = await Promise.all([suite.finally(() => named.resolve(undefined)), allow()]);
    return results;
  } finally {
    stop.abort();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** What the suite says about each check that did not succeed. Where none did, what it noted instead. */
function unmetOf(results: Results): Record<string, Record<string, string>> {
  const entries = [...results].map(([scenario, checks]): [string, Record<string, string>] => {
    const isSilent = checks.every(({ status }) => status === "INFO");
    const unmet = checks.filter(({ status }) => status !== "SUCCESS" && (status !== "INFO" || isSilent));
    return [scenario, Object.fromEntries(unmet.map((check) => [check.id, wordsOf(check)]))];
  });
  return Object.fromEntries(entries.filter(([, unmet]) => Object.keys(unmet).length > 0));
}

function wordsOf({ errorMessage, details, description }: Check): string {
  return errorMessage ?? `${description} ${JSON.stringify(details)}`;
}

function expectedOf(exceptions: Exceptions): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(exceptions).map(([scenario, checks]) => [
      scenario,
      Object.fromEntries(Object.entries(checks).map(([check, { says }]) => [check, expect.stringMatching(says)])),
    ]),
  );
}

/** For who reads the log of a build. */
function print(title: string, results: Results, exceptions: Exceptions): void {
  const unmet = unmetOf(results);
  const lines = [...results].map(([scenario, checks]) => {
    const failed = Object.keys(unmet[scenario] ?? {});
    if (failed.length === 0) return `  passed   ${scenario} (${checks.length})`;
    const known = exceptions[scenario] ?? {};
    const reasons = new Set(failed.map((check) => known[check]?.because ?? `FAILED ${check}`));
    return `  excepted ${scenario} (${failed.length} of ${checks.length}): ${[...reasons].join("; ")}`;
  });
  process.stdout.write(`conformance: ${title}\n${lines.join("\n")}\n`);
}

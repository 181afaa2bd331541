import { afterAll, beforeAll, expect, it } from "vitest";
import { startLoad, tally } from "./load.ts";
import { prepareStack, type PrivateServices, type Stack, startPrivateServices } from "@svc/dev";

let services: PrivateServices;
let stack: Stack;

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
});

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

it("answers every request it took, under 50 connections, when it is told to stop", async () => {
  await stack.start("auth-service");
  const gateway = await stack.start("api-gateway", { DRAIN_SECONDS: "1" });
  const load = startLoad({
    url: `${gateway.url}/api/me`,
    headers: { authorization: `Bearer ${await stack.issueToken()}` },
    connections: 50,
  });
  while (load.outcomes.length < 500) await new Promise((resolve) => setTimeout(resolve, 10));

  const code = await gateway.stop("SIGTERM");
  const outcomes = await load.stop();

  const counts = tally(outcomes);
  const answered = counts["200"] ?? 0;
  const taken = (stack.lines["api-gateway"] ?? []).filter((line) => line.includes('"route":"/api/me"')).length;
  expect(code).toBe(0);
  expect(answered).toBeGreaterThan(500);
  // What the service says it took and what the callers got an answer to are the same number.
  expect({ taken, aborted: counts["answer cut off"] ?? 0 }).toEqual({ taken: answered, aborted: 0 });
  // Everything else was turned away before it was a request.
  const { 200: _answered, ECONNREFUSED: _refused, ECONNRESET: _unaccepted, ...rest } = counts;
  expect(rest).toEqual({});
});

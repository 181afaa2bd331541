import { problemSchema } from "@svc/contract";
import { prepareStack, type PrivateServices, type ServiceProcess, type Stack, startPrivateServices } from "@svc/dev";
import { signServiceAssertion } from "@svc/platform/http";
import { newId } from "@svc/platform/ids";
import { waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Load, startLoad, tally } from "./load.ts";

/** Time for a connection (2 s) and a statement (6 s) to be given up, and a little for a busy machine. */
const LONGEST_ANSWER_MS = 10_000;

let services: PrivateServices;
let stack: Stack;
let auth: ServiceProcess;
let gateway: ServiceProcess;
let worker: ServiceProcess;

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  [auth, gateway, worker] = await Promise.all([
    stack.start("auth-service"),
    stack.start("api-gateway"),
    stack.start("worker"),
  ]);
});

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

describe("while Postgres restarts under load", () => {
  it("answers 503 problem+json, never hangs, and recovers by itself", async () => {
    const token = await stack.issueToken();
    const assertion = await signServiceAssertion(stack.secrets.ACTOR_ASSERTION_SECRET, {
      from: "auth-service",
      to: "api-gateway",
      right: "events:ingest",
    });
    const json = { "content-type": "application/json" };
    const loads = [
      startLoad({
        url: `${auth.url}/api/v1/tokens/validate`,
        method: "POST",
        headers: json,
        body: () => JSON.stringify({ token }),
        connections: 10,
      }),
      startLoad({
        url: `${gateway.url}/internal/v1/events`,
        method: "POST",
        headers: { ...json, authorization: `Bearer ${assertion}` },
        body: () => JSON.stringify({ events: [event()] }),
        connections: 10,
      }),
    ];
    await Promise.all(loads.map((load) => waitUntil(() => load.outcomes.length > 200)));
    await services.control("stop", "postgres");
    await Promise.all(
      loads.map((load) => waitUntil(() => load.outcomes.slice(-10).every(({ result }) => result === 503))),
    );
    expect((await gateway.readiness()).ready).toBe(false);
    await services.control("start", "postgres");
    await Promise.all(
      loads.map((load) => waitUntil(() => load.outcomes.slice(-10).every(({ result }) => result === 200), 15_000)),
    );
    for (const service of [gateway, auth, worker]) await waitUntil(async () => (await service.readiness()).ready);
    await Promise.all(loads.map(expectOnlyCleanAnswers));
  });
});

async function expectOnlyCleanAnswers(load: Load): Promise<void> {
  const outcomes = await load.stop();
  const { 200: fine, 503: unavailable, ...rest } = tally(outcomes);
  expect(rest).toEqual({});
  expect(fine).toBeGreaterThan(200);
  expect(unavailable).toBeGreaterThan(0);
  expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(LONGEST_ANSWER_MS);
  for (const { body, contentType } of outcomes.filter(({ result }) => result === 503)) {
    expect(contentType).toMatch(/^application\/problem\+json/);
    expect(problemSchema.parse(JSON.parse(body)).code).toBe("UNAVAILABLE");
  }
}

describe("while Redis is away", () => {
  it("stays ready and says in readiness and metrics that it is degraded", async () => {
    const headers = { authorization: `Bearer ${await stack.issueToken()}` };
    const metric = async () =>
      /^svc_cache_up(?:\{.*\})? (\d)/m.exec(await (await fetch(`${gateway.opsUrl}/metrics`)).text())?.[1];
    await waitUntil(async () => (await metric()) === "1");

    await services.control("stop", "redis");
    await waitUntil(async () => (await gateway.readiness()).dependencies["cache"]?.state === "degraded");
    expect((await gateway.readiness()).ready).toBe(true);
    expect(await metric()).toBe("0");
    expect((await fetch(`${gateway.url}/api/me`, { headers })).status).toBe(200);

    await services.control("start", "redis");
    await waitUntil(async () => (await gateway.readiness()).dependencies["cache"]?.state === "up");
    expect(await metric()).toBe("1");
  });
});

function event(): object {
  return {
    id: newId("evt"),
    org_id: newId("org"),
    type: "deploy.failed",
    subject: { kind: "deployment", id: newId("dep") },
    data: {},
    occurred_at: new Date().toISOString(),
  };
}

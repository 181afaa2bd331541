import { prepareStack, type PrivateServices, type ServiceProcess, type Stack, startPrivateServices } from "@svc/dev";
import { waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let services: PrivateServices;
let stack: Stack;
let gateway: ServiceProcess;

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  await stack.start("auth-service");
  await stack.start("worker");
  gateway = await stack.start("api-gateway");
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

async function call(token: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(new URL(path, gateway.url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** An organization with an exposed source that has no configuration: asking it is counted, and costs nothing else. */
async function createAsker(): Promise<string> {
  const token = await stack.issueToken();
  await call(token, "POST", "/api/wf/databases", { name: "empty" });
  await waitUntil(async () => {
    const { status } = (await (await call(token, "GET", "/api/wf/databases/empty")).json()) as { status: string };
    return status === "ready";
  }, 30_000);
  await call(token, "PUT", "/api/wf/data-sources/db_empty/exposure", { exposed: true });
  return token;
}

async function askAtOnce(token: string, times: number) {
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      call(token, "POST", "/api/wf/slim/data-sources/db_empty/query", { query: "x" }),
    ),
  );
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  const refused = answers.filter(({ status }) => status === 429);
  return {
    admitted: answers.filter(({ status }) => status === 409).length,
    refused: refused.length,
    waits: refused.map(({ headers }) => Number(headers.get("retry-after"))),
  };
}

const metrics = async (): Promise<string> => (await fetch(`${gateway.opsUrl}/metrics`)).text();

describe("200 questions at once against the operator's 60 a minute", () => {
  it("are admitted exactly 60 times, and every refusal says how long to wait", async () => {
    const { admitted, refused, waits } = await askAtOnce(await createAsker(), 200);
    expect([admitted, refused]).toEqual([60, 140]);
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(50);
      expect(wait).toBeLessThanOrEqual(60);
    }
    expect(await metrics()).toMatch(
      /svc_question_limit_checks_total\{[^}]*by="shared"[^}]*outcome="refused"[^}]*\} 140/,
    );
  });

  it("are held to the same by the gateway alone while Redis is stopped, which metrics show", async () => {
    const token = await createAsker();
    await services.control("stop", "redis");
    await waitUntil(
      async () => (await metrics()).includes("svc_cache_up 0") || /svc_cache_up\{[^}]*\} 0/.test(await metrics()),
      15_000,
    );
    const { admitted, refused, waits } = await askAtOnce(token, 200);
    expect([admitted, refused]).toEqual([60, 140]);
    expect(Math.min(...waits)).toBeGreaterThan(50);
    expect(await metrics()).toMatch(
      /svc_question_limit_checks_total\{[^}]*by="local"[^}]*outcome="refused"[^}]*\} 140/,
    );
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceProcess } from "@svc/dev";
import { type PrivateServices, startPrivateServices } from "./private-services.ts";
import { prepareStack, type Stack } from "./stack.ts";

const run = promisify(execFile);

let services: PrivateServices;
let stack: Stack;
let gateway: ServiceProcess;

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  [gateway] = await Promise.all([
    stack.start("api-gateway", { LOG_LEVEL: "debug" }),
    stack.start("auth-service", { LOG_LEVEL: "debug" }),
    stack.start("worker", { LOG_LEVEL: "debug" }),
  ]);
});

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

it("no token, secret or password that was used is in the databases, the logs or an error", async () => {
  const secrets = new Set<string>(Object.values(stack.secrets));
  const errors: string[] = [];
  const call = async (method: string, path: string, token: string, body?: object) => {
    secrets.add(token);
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) errors.push(`${text} ${JSON.stringify([...response.headers])}`);
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };

  const owner = await stack.issueToken();
  const me = (await call("GET", "/api/me", owner)).body;
  const made = (await call("POST", "/api/v1/api-tokens", owner, { name: "one" })).body;
  const support = await call("POST", `/api/v1/admin/orgs/${me.org.id}/support-sessions`, stack.secrets.OPERATOR_TOKEN, {
    staff: "helper@vendor.example",
    reason: "looking for secrets",
  });
  expect([support.status, made.token.length]).toEqual([201, 42]);
  for (const token of [made.token, support.body.token]) {
    expect((await call("GET", "/api/me", token)).status).toBe(200);
    // Every way of being refused, with the credential where it belongs and where it does not.
    await call("PATCH", `/api/v1/orgs/${me.org.id}`, token, { name: token, password: token });
    await call("POST", "/api/v1/tokens/validate", token, { token, wrong: token });
    await call("POST", "/api/v1/admin/orgs", token, { name: "x" });
    await call("GET", `/api/v1/orgs/nowhere?token=${token}`, token);
    await call("GET", "/nowhere", `${token}x`);
  }
  expect(errors.length).toBeGreaterThan(8);

  const dumps = await Promise.all(
    Object.values(stack.databaseUrls).map(
      async (url) =>
        (await run("/usr/lib/postgresql/15/bin/pg_dump", ["--inserts", url], { maxBuffer: 64 * 1_024 ** 2 })).stdout,
    ),
  );
  const places = {
    databases: dumps.join("\n"),
    logs: Object.values(stack.lines).flat().join("\n"),
    errors: errors.join("\n"),
  };
  expect(places.databases).toContain("support_sessions");
  expect(places.logs).toContain("/api/v1/");
  expect(secrets.size).toBeGreaterThan(8);
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets)
      expect([place, secret.slice(0, 6), text.includes(secret)]).toEqual([place, secret.slice(0, 6), false]);
  }
});

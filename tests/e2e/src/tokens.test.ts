import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareStack, type PrivateServices, type ServiceProcess, type Stack, startPrivateServices } from "@svc/dev";
import { waitUntil } from "@svc/platform/testing";

let services: PrivateServices;
let stack: Stack;
let gateway: ServiceProcess;
let auth: ServiceProcess;

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  [auth, gateway] = await Promise.all([stack.start("auth-service"), stack.start("api-gateway")]);
});

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

const call = async (method: string, path: string, token: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
};

/** Uses the token all the time, as a busy agent does, until it is refused; answers how long that took. */
async function secondsUntilRefused(token: string): Promise<number> {
  const startedAt = performance.now();
  await waitUntil(async () => (await call("GET", "/api/me", token)).status === 401, 10_000, "the token's end");
  return (performance.now() - startedAt) / 1_000;
}

describe("a revoked token", () => {
  const revokeWhileInUse = async (): Promise<number> => {
    const owner = await stack.issueToken();
    const { body } = await call("POST", "/api/v1/api-tokens", owner, { name: "to revoke" });
    // In the gateway's cache for the longest time there is.
    expect((await call("GET", "/api/me", body.token)).status).toBe(200);
    await sleep(50);
    expect((await call("DELETE", `/api/v1/api-tokens/${body.api_token.id}`, owner)).status).toBe(204);
    return secondsUntilRefused(body.token);
  };

  it("stops working everywhere within a second", async () => {
    await waitUntil(async () => (await gateway.readiness()).dependencies["cache"]?.state === "up");
    await sleep(1_000);
    expect(await revokeWhileInUse()).toBeLessThan(1);
  });

  it("does so as well while Redis is away", async () => {
    await services.control("stop", "redis");
    await waitUntil(async () => (await gateway.readiness()).dependencies["cache"]?.state === "degraded");
    expect(await revokeWhileInUse()).toBeLessThan(1);
    await services.control("start", "redis");
    await waitUntil(async () => (await gateway.readiness()).dependencies["cache"]?.state === "up");
  });
});

describe("a member who is removed", () => {
  it("has no token of that organization left a second later", async () => {
    const owner = await stack.issueToken();
    const { body: me } = await call("GET", "/api/me", owner);
    const members = await call("GET", `/api/v1/orgs/${me.org.slug}/members`, owner);
    // The only owner cannot go, so there is a second one who does.
    expect(members.body.items).toHaveLength(1);
    const second = await stack.issueMemberToken(me.org.id, "leaver@acme.example", "owner");
    expect((await call("GET", "/api/me", second.token)).status).toBe(200);
    expect((await call("DELETE", `/api/v1/orgs/${me.org.id}/members/${second.memberId}`, owner)).status).toBe(204);
    expect(await secondsUntilRefused(second.token)).toBeLessThan(1);
  });
});

describe("changing a secret", () => {
  it.each(["JWT_SECRET", "JWT_SIGNING_KEY"])("%s ends every API token", async (name) => {
    const token = await stack.issueToken();
    expect((await call("GET", "/api/me", token)).status).toBe(200);
    await auth.stop();
    auth = await stack.start("auth-service", { [name]: randomBytes(32).toString("hex") });
    await waitUntil(async () => (await call("GET", "/api/me", token)).status === 401);
    await auth.stop();
    auth = await stack.start("auth-service");
    await waitUntil(async () => (await call("GET", "/api/me", token)).status === 200);
  });
});

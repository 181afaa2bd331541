import { prepareStack, type PrivateServices, type ServiceProcess, type Stack, startPrivateServices } from "@svc/dev";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let services: PrivateServices;
let stack: Stack;
let gateway: ServiceProcess;
let token: string;

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  [gateway] = await Promise.all([stack.start("api-gateway"), stack.start("auth-service"), stack.start("deploy-api")]);
  token = await stack.issueToken();
});

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

describe("the gateway, in front of the other services", () => {
  it("tells the auth service from where a request really comes, whatever the caller claims", async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "user-agent": "front-door-test",
      "x-request-id": "front-door-1234",
    };
    // The gateway trusts this machine as a proxy, so the address it passes on is the one in front of it.
    const created = await fetch(`${gateway.url}/api/v1/api-tokens`, {
      method: "POST",
      headers: { ...headers, "x-forwarded-for": "203.0.113.9" },
      body: JSON.stringify({ name: "from afar" }),
    });
    expect([created.status, created.headers.get("x-request-id")]).toEqual([201, "front-door-1234"]);
    const me: any = await (await fetch(`${gateway.url}/api/me`, { headers })).json();
    const audit: any = await (await fetch(`${gateway.url}/api/v1/orgs/${me.org.id}/audit`, { headers })).json();
    expect(audit.items[0]).toMatchObject({
      action: "api_token.created",
      address: "203.0.113.9",
      user_agent: "front-door-test",
    });
  });

  it("turns away an address that shows many bad tokens, and nobody else", async () => {
    const from = (address: string, shown: string) =>
      fetch(`${gateway.url}/api/me`, { headers: { authorization: `Bearer ${shown}`, "x-forwarded-for": address } });
    const statuses = new Set<number>();
    for (let n = 0; n < 130; n += 1) statuses.add((await from("203.0.113.66", `svc_wrong${n}`)).status);
    expect([...statuses].toSorted()).toEqual([401, 429]);
    expect((await from("203.0.113.66", token)).status).toBe(429);
    expect((await from("203.0.113.77", token)).status).toBe(200);
  });

  it("passes on answers that are no success as they are, and 503 for a service that is away", async () => {
    const unknown = await fetch(`${gateway.url}/api/deploy/nothing`);
    expect([unknown.status, unknown.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json; charset=utf-8",
    ]);
    await stack.stopService("deploy-api");
    const away = await fetch(`${gateway.url}/api/deploy/nothing`);
    expect([away.status, ((await away.json()) as any).code]).toEqual([503, "UNAVAILABLE"]);
  });

  it("does not show what is for services alone", async () => {
    const response = await fetch(`${gateway.url}/internal/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
  });
});

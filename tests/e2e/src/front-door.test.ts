import { createHmac, randomBytes } from "node:crypto";
import { prepareStack, type PrivateServices, type ServiceProcess, type Stack, startPrivateServices } from "@svc/dev";
import { CONNECTOR_TOKEN_TYPE, connectorTokenKey, SERVICE_HEADER, signServiceAssertion } from "@svc/platform/http";
import { newId } from "@svc/platform/ids";
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

  it("goes on serving agents, however many of them were disconnected and do not know it yet", async () => {
    const { url } = await stack.start("mcp-server");
    const listSources = async (shown: string): Promise<number> => {
      const params = { name: "data_sources_list", arguments: {} };
      const response = await fetch(`${url}/platform`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${shown}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      return ((await response.json()) as any).result?.isError ? 500 : response.status;
    };
    const refused = new Set<number>();
    for (let n = 0; n < 130; n += 10) {
      const tokens = Array.from({ length: 10 }, () => tokenOfNoGrant(`${url}/platform`));
      for (const status of await Promise.all(tokens.map(listSources))) refused.add(status);
    }
    expect([...refused]).toEqual([401]);
    expect(await listSources(token)).toBe(200);
    const logged = Object.values(stack.lines).flat().join("\n");
    expect(logged).toContain("/platform");
    // Neither their tokens nor what services showed each other in their place: a JWT begins so.
    expect(logged).not.toContain("eyJ");
  });

  it("turns away a stranger who says to be a service of ours", async () => {
    const mcpServer = { from: "mcp-server", to: "api-gateway", right: "tokens:validate" } as const;
    const forged = await signServiceAssertion(randomBytes(32).toString("hex"), mcpServer);
    const from = (address: string, shown: string) =>
      fetch(`${gateway.url}/api/me`, {
        headers: { authorization: `Bearer ${shown}`, "x-forwarded-for": address, [SERVICE_HEADER]: forged },
      });
    for (let n = 0; n < 13; n += 1) {
      await Promise.all(Array.from({ length: 10 }, (_, m) => from("203.0.113.88", `svc_wrong${n}${m}`)));
    }
    expect((await from("203.0.113.88", token)).status).toBe(429);
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

/** An agent's token as the authorization server signs it, whose grant is over. */
function tokenOfNoGrant(resource: string): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const iat = Math.floor(Date.now() / 1_000);
  const grant = {
    sub: newId("usr"),
    org: newId("org"),
    client_id: "agent",
    grant_id: newId("grt"),
    scope: "data:read",
  };
  const claims = { iss: gateway.url, aud: resource, iat, exp: iat + 600, ...grant };
  const signed = `${encode({ alg: "HS256", typ: CONNECTOR_TOKEN_TYPE })}.${encode(claims)}`;
  const key = connectorTokenKey(stack.secrets.JWT_SECRET);
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

import { request } from "node:http";
import { waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMcpFixture, ISSUER, type McpFixture, modernMessage, RESOURCE } from "./testing/mcp-fixture.ts";

let mcp: McpFixture;
let token: string;

beforeAll(async () => {
  mcp = await createMcpFixture({
    MCP_ALLOWED_ORIGINS: "agent.example",
    MCP_DOCUMENTATION_URL: "https://docs.example/x",
  });
  token = mcp.tokenOf(mcp.auth.createGrant(["data:read"]));
});
afterAll(() => mcp.close());

const at = (path: string): string => new URL(path, mcp.url).href;
const call = (method: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(mcp.url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body }),
  });

describe("the document that tells agents where to get a token", () => {
  it.each(["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/platform"])(
    "is at %s, for everybody and every page",
    async (path) => {
      const response = await fetch(at(path), { headers: { origin: "https://any.example" } });
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      expect(await response.json()).toEqual({
        resource: RESOURCE,
        resource_name: "svc",
        authorization_servers: [ISSUER],
        scopes_supported: ["data:read"],
        bearer_methods_supported: ["header"],
        resource_documentation: "https://docs.example/x",
      });
      const preflight = await fetch(at(path), { method: "OPTIONS", headers: { origin: "https://any.example" } });
      expect(preflight.status).toBe(204);
    },
  );

  it("names no authorization server where no agents can be connected", async () => {
    const closed = await createMcpFixture({ CONNECTOR_ISSUER: "", JWT_SECRET: "" });
    const response = await fetch(new URL("/.well-known/oauth-protected-resource", closed.url));
    expect(await response.json()).not.toHaveProperty("authorization_servers");
    await closed.close();
  });
});

describe("a browser", () => {
  it("may ask beforehand without a token", async () => {
    const response = await fetch(mcp.url, { method: "OPTIONS", headers: { origin: "https://agent.example" } });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://agent.example");
    expect(response.headers.get("access-control-allow-headers")).toContain("authorization");
    expect((await fetch(mcp.url, { method: "OPTIONS" })).status).toBe(204);
  });

  it.each(["https://agent.example", "http://localhost:6274", "https://mcp.example.com"])(
    "may call from a page of %s and read what it is told",
    async (origin) => {
      const { body, headers } = modernMessage("tools/list", {});
      const response = await call("POST", { ...headers, origin }, body);
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
      const refused = await fetch(mcp.url, { method: "POST", headers: { origin } });
      expect(refused.headers.get("access-control-expose-headers")).toContain("www-authenticate");
      expect(refused.headers.get("access-control-allow-origin")).toBe(origin);
    },
  );

  it.each(["https://evil.example", "null", "https://agent.example.evil.example", "file://"])(
    "may not call from a page of %s",
    async (origin) => {
      const { body, headers } = modernMessage("tools/list", {});
      expect((await call("POST", { ...headers, origin }, body)).status).toBe(403);
      const preflight = await fetch(mcp.url, { method: "OPTIONS", headers: { origin } });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    },
  );
});

it.each([
  ["evil.example", 403],
  ["mcp.example.com.evil.example", 403],
  ["user@mcp.example.com@evil.example", 403],
  ["mcp.example.com", 401],
  ["mcp.example.com:8443", 401],
  ["localhost:9", 401],
])("answers a request for %s with %i", async (host, status) => {
  const seen = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(mcp.url, { method: "POST", headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject).end();
  });
  expect(seen).toBe(status);
});

describe("what is no message", () => {
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  it.each([
    ["GET, since there is nothing to listen to", "GET", { accept: "text/event-stream" }, undefined, 405],
    ["DELETE, since there is no session", "DELETE", { "mcp-session-id": "x" }, undefined, 405],
    ["a form", "POST", { ...json, "content-type": "application/x-www-form-urlencoded" }, "a=b", 415],
    ["no type", "POST", { accept: json.accept, "content-type": "" }, "{}", 415],
    ["half a message", "POST", json, '{"jsonrpc"', 400],
    ["an empty one", "POST", json, "", 400],
    ["a number", "POST", json, "7", 400],
    ["a message of another protocol", "POST", json, '{"jsonrpc":"1.0","method":"x","id":1}', 400],
    ["too much", "POST", json, JSON.stringify({ x: "x".repeat(300_000) }), 413],
    ["too many in one", "POST", json, JSON.stringify(Array.from({ length: 101 }, (_, id) => ping(id))), 400],
    [
      "a version that never was",
      "POST",
      { ...json, "mcp-protocol-version": "1999-01-01" },
      JSON.stringify(ping(1)),
      400,
    ],
  ])("%s: %s is refused", async (_what, method, headers, body, status) => {
    const response = await call(method, headers, body);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toMatch(/json/);
  });
});

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

it("answers a batch, and one that cancels a part of itself too", async () => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const response = await call("POST", headers, JSON.stringify([ping(1), cancelled, ping(2)]));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
});

it("gives up the question when the agent goes away", async () => {
  const { body, headers } = modernMessage("tools/call", {
    name: "data_source_query",
    arguments: { source_id: "db_handbook", query: "x" },
  });
  const agent = new AbortController();
  const before = mcp.gateway.givenUp;
  // As long as anyone listens.
  mcp.gateway.answer = () => {
    agent.abort();
    return new Promise(() => {});
  };
  const authorization = `Bearer ${token}`;
  const asking = fetch(mcp.url, { method: "POST", headers: { ...headers, authorization }, body, signal: agent.signal });
  await expect(asking).rejects.toThrow("aborted");
  await waitUntil(() => mcp.gateway.givenUp > before);
  expect(mcp.gateway.givenUp).toBe(before + 1);
});

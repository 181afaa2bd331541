import { afterAll, beforeAll, expect, it } from "vitest";
import { createMcpFixture, ERAS, type McpFixture } from "./testing/mcp-fixture.ts";

let mcp: McpFixture;
const tokens: string[] = [];

beforeAll(async () => {
  mcp = await createMcpFixture();
  for (const era of ERAS) {
    const grant = mcp.auth.createGrant(["data:read"]);
    const token = mcp.tokenOf(grant);
    tokens.push(token);
    const client = await mcp.connect(token, era);
    await client.listTools();
    for (let n = 0; n < 20; n += 1) {
      await client.callTool({ name: "data_sources_list", arguments: {} });
      await client.callTool({ name: "data_source_query", arguments: { source_id: "db_handbook", query: `q${n}` } });
      await client.callTool({ name: "data_source_query", arguments: { source_id: "db_none", query: token } });
    }
    mcp.auth.revoke(grant);
    await client.callTool({ name: "data_sources_list", arguments: {} }).catch(() => undefined);
  }
});
afterAll(() => mcp.close());

/** What a request was sent with, but for the question that a test put the token into itself. */
const withoutBodies = (bytes: string): string => bytes.replaceAll(/\{"query":"[^"]*"/g, "");

it("sends the gateway neither the agent's token nor any part of it, and no secret", () => {
  const sent = withoutBodies(mcp.gateway.bytes());
  expect(sent).toContain("POST /api/wf/slim/data-sources/db_handbook/query");
  const parts = tokens.flatMap((token) => [token, ...token.split(".").slice(1)]);
  const secrets = Object.values(mcp.secrets).flatMap((hex) => [hex, Buffer.from(hex, "hex").toString("base64url")]);
  for (const secret of [...parts, ...secrets]) expect(sent.includes(secret)).toBe(false);
});

it("sends the auth service no agent's token either", () => {
  expect(mcp.auth.asked.length).toBeGreaterThan(100);
  for (const token of tokens) expect(mcp.auth.asked).not.toContain(token);
});

it("shows every assertion once", () => {
  const sent = [...mcp.gateway.credentials];
  expect(sent.length).toBeGreaterThan(100);
  expect(new Set(sent).size).toBe(sent.length);
  // Those that the gateway asked about and those that were asked about directly.
  expect(new Set(mcp.auth.asked).size).toBe(mcp.auth.asked.length);
});

it("signs assertions that live for a minute, name the grant and are for the auth service alone", () => {
  for (const credential of mcp.gateway.credentials) {
    const [, claims = ""] = credential.split(".");
    const { aud, iat, exp, grant_id } = JSON.parse(Buffer.from(claims, "base64url").toString());
    expect(aud).toBe("auth-service");
    expect(exp - iat).toBe(60);
    expect(grant_id).toMatch(/^grt_/);
  }
});

it("writes no token, question or secret into its log", () => {
  const logged = mcp.logged();
  expect(logged).toContain("/platform");
  const assertions = mcp.gateway.credentials.map((credential) => credential.replace("Bearer ", ""));
  for (const secret of [...tokens, ...assertions, ...Object.values(mcp.secrets), "db_handbook"]) {
    expect(logged.includes(secret)).toBe(false);
  }
});

it("lets the gateway know that it is a service of ours, and which request it belongs to", () => {
  expect(mcp.gateway.asked[0]?.headers).toMatchObject({
    "x-svc-service": expect.stringMatching(/^ey/),
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "user-agent": "svc-mcp-server",
  });
});

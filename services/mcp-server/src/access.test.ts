import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { connectorTokenKey, signActorAssertion } from "@svc/platform/http";
import { newId } from "@svc/platform/ids";
import { waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Grant } from "./testing/auth-of-grants.ts";
import { createMcpFixture, ERAS, type McpFixture, METADATA_URL, RESOURCE } from "./testing/mcp-fixture.ts";
import { encode, signConnectorToken, signToken } from "./testing/sign-token.ts";

let mcp: McpFixture;
let grant: Grant;

beforeAll(async () => {
  mcp = await createMcpFixture();
  grant = mcp.auth.createGrant(["data:read"]);
});
afterAll(() => mcp.close());

const listTools = (token?: string, headers: Record<string, string> = {}) => mcp.post(token, "tools/list", {}, headers);
const ask = (token: string) =>
  mcp.post(token, "tools/call", { name: "data_source_query", arguments: { source_id: "db_handbook", query: "x" } });

describe("who shows no token", () => {
  it.each(["POST", "GET", "DELETE"])("is told by %s where to get one", async (method) => {
    const response = await fetch(mcp.url, { method });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${METADATA_URL}", scope="data:read"`,
    );
  });

  it("is not listened to in the address or in another scheme", async () => {
    const token = mcp.tokenOf(grant);
    for (const response of [
      await fetch(`${mcp.url}?access_token=${token}`, { method: "POST" }),
      await listTools(undefined, { authorization: `Basic ${token}` }),
      await listTools(undefined, { authorization: `Bearer ${token} ${token}` }),
    ]) {
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain(`resource_metadata="${METADATA_URL}"`);
    }
  });
});

describe("a token of a grant", () => {
  it("is good for what it allows", async () => {
    const response = await ask(mcp.tokenOf(grant));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: { structuredContent: { count: 2 } } });
  });

  const signed = (change: object, header = {}): string =>
    signConnectorToken(mcp.secrets.jwt, { ...mcp.claimsOf(grant), ...change }, header);
  const past = Math.floor(Date.now() / 1_000) - 60;
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const attacks: [string, () => string | Promise<string>][] = [
    ["for another resource", () => signed({ aud: "https://mcp.example.com/notifications" })],
    ["for the resource with a slash", () => signed({ aud: `${RESOURCE}/` })],
    ["for several resources", () => signed({ aud: [RESOURCE, "https://other.example"] })],
    ["for no resource", () => signed({ aud: undefined })],
    ["of another issuer", () => signed({ iss: "https://auth.example.org" })],
    ["of no issuer", () => signed({ iss: undefined })],
    ["that has expired", () => signed({ iat: past - 600, exp: past })],
    ["that never expires", () => signed({ exp: undefined })],
    ["that is not good yet", () => signed({ nbf: Math.floor(Date.now() / 1_000) + 600 })],
    ["of no grant", () => signed({ grant_id: undefined })],
    ["of a grant that is no id", () => signed({ grant_id: "grt_' or true --" })],
    ["of no client", () => signed({ client_id: undefined })],
    ["of another type", () => signed({}, { typ: "JWT" })],
    ["of no type", () => signed({}, { typ: undefined })],
    ["with a type in capitals", () => signed({}, { typ: "AT+JWT" })],
    ["that is not signed", () => `${encode({ alg: "none", typ: "at+jwt" })}.${encode(mcp.claimsOf(grant))}.`],
    ["with another algorithm", () => signed({}, { alg: "HS512" })],
    ["with a header that must be understood", () => signed({}, { crit: ["b64"], b64: false })],
    [
      "signed with the secret itself",
      () => signToken({ alg: "HS256", typ: "at+jwt" }, mcp.claimsOf(grant), mcp.secrets.jwt),
    ],
    [
      "signed with the other secret",
      () => signToken({ alg: "HS256", typ: "at+jwt" }, mcp.claimsOf(grant), connectorTokenKey(mcp.secrets.actor)),
    ],
    [
      "signed with a key of its own",
      () => {
        const jwk = createPublicKey(rsa.privateKey).export({ format: "jwk" });
        const signedPart = `${encode({ alg: "RS256", typ: "at+jwt", jwk })}.${encode(mcp.claimsOf(grant))}`;
        return `${signedPart}.${sign("sha256", Buffer.from(signedPart), rsa.privateKey).toString("base64url")}`;
      },
    ],
    [
      "whose claims were changed",
      () => {
        const [header, , signature] = signed({}).split(".");
        return `${header}.${encode({ ...mcp.claimsOf(grant), org: newId("org") })}.${signature}`;
      },
    ],
    ["that is an assertion between services", () => signActorAssertion(mcp.secrets.actor, grant)],
    ["that is nonsense", () => "at+jwt"],
    ["with nonsense for a header", () => "e30.e30.e30"],
    ["with null for a header", () => `${Buffer.from("null").toString("base64url")}.e30.e30`],
    ["that is endless", () => "a".repeat(9_000)],
  ];
  it.each(attacks)("is refused %s, and told where to get a good one", async (_what, make) => {
    const token = await make();
    const asked = mcp.gateway.credentials.length;
    for (const response of [await listTools(token), await ask(token)]) {
      expect(response.status).toBe(401);
      const challenge = response.headers.get("www-authenticate");
      expect(challenge).toMatch(/^Bearer error="invalid_token"/);
      expect(challenge).toContain(`resource_metadata="${METADATA_URL}"`);
    }
    expect(mcp.gateway.credentials).toHaveLength(asked);
  });

  it("without the scope that is needed is refused, and told which that is", async () => {
    const asked = mcp.gateway.credentials.length;
    for (const scopes of [["notifications:read", "apps:read"], [], ["data:reader"]]) {
      const response = await ask(mcp.tokenOf(mcp.auth.createGrant(scopes)));
      expect(response.status).toBe(403);
      expect(response.headers.get("www-authenticate")).toBe(
        `Bearer error="insufficient_scope", scope="data:read", resource_metadata="${METADATA_URL}"`,
      );
    }
    expect(mcp.gateway.credentials).toHaveLength(asked);
  });

  it("ends with its time, though it was good a moment ago", async () => {
    const now = Math.floor(Date.now() / 1_000);
    // Clocks may differ by 5 s.
    const token = signed({ iat: now - 600, exp: now - 3 });
    expect((await listTools(token)).status).toBe(200);
    await waitUntil(async () => (await listTools(token)).status === 401, 10_000);
    expect((await ask(token)).status).toBe(401);
  });
});

describe("a grant that was revoked", () => {
  it.each([
    ["tools/call", { name: "data_source_query", arguments: { source_id: "db_handbook", query: "x" } }],
    ["tools/call", { name: "data_sources_list", arguments: {} }],
    ["tools/call", { name: "data_source_query", arguments: {} }],
    ["tools/call", { name: "no_such_tool", arguments: {} }],
    ["tools/list", {}],
    ["server/discover", {}],
    ["no/such/method", {}],
  ])("makes the very next %s of %j a 401", async (method, params) => {
    const revoked = mcp.auth.createGrant(["data:read"]);
    const token = mcp.tokenOf(revoked);
    expect((await mcp.post(token, method, params)).status).not.toBe(401);
    mcp.auth.revoke(revoked);
    const response = await mcp.post(token, method, params);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain(`error="invalid_token"`);
    expect(response.headers.get("www-authenticate")).toContain(METADATA_URL);
    expect(await response.text()).not.toContain("Refunds");
  });

  it.each(ERAS)("throws a client of %s out in the middle of its work", async (era) => {
    const revoked = mcp.auth.createGrant(["data:read"]);
    const client = await mcp.connect(mcp.tokenOf(revoked), era);
    await client.callTool({ name: "data_sources_list", arguments: {} });
    mcp.auth.revoke(revoked);
    await expect(client.callTool({ name: "data_sources_list", arguments: {} })).rejects.toThrow(/401|unauthorized/i);
    await expect(client.listTools(undefined, { cacheMode: "bypass" } as never)).rejects.toThrow(/401|unauthorized/i);
  });

  it("is refused also with a body that cannot be read", async () => {
    const revoked = mcp.auth.createGrant(["data:read"]);
    mcp.auth.revoke(revoked);
    const headers = { authorization: `Bearer ${mcp.tokenOf(revoked)}`, "content-type": "application/json" };
    for (const body of ["{", "[]", "null", ""]) {
      expect((await fetch(mcp.url, { method: "POST", headers, body })).status).toBe(401);
    }
  });
});

describe("a person's own token", () => {
  it("is let in as long as it is good, and shown to the gateway as it is", async () => {
    const token = mcp.auth.createApiToken();
    expect((await ask(token)).status).toBe(200);
    expect(mcp.gateway.credentials.at(-1)).toBe(`Bearer ${token}`);
    mcp.auth.revokeApiToken(token);
    await waitUntil(async () => (await ask(token)).status === 401);
    expect((await ask(token)).headers.get("www-authenticate")).toContain(METADATA_URL);
  });

  it("is all that is let in where no agents can be connected", async () => {
    const closed = await createMcpFixture({ CONNECTOR_ISSUER: "", JWT_SECRET: "" });
    const granted = closed.auth.createGrant(["data:read"]);
    expect((await closed.post(closed.tokenOf(granted), "tools/list")).status).toBe(401);
    expect((await closed.post(closed.auth.createApiToken(), "tools/list")).status).toBe(200);
    await closed.close();
  });
});

it("answers 503 and nothing else while nobody can say whether the grant lives", async () => {
  const alone = await createMcpFixture();
  const token = alone.tokenOf(alone.auth.createGrant(["data:read"]));
  await alone.auth.close();
  const response = await alone.post(token, "tools/list");
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("data_source_query");
  alone.auth.close = async () => undefined;
  await alone.close();
});

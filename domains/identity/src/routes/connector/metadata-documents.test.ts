import { generateKeyPairSync, randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { exportJWK, SignJWT } from "jose";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disableClient, enableClient } from "../../connector/manage-clients.ts";
import { isPublicAddress } from "../../connector/public-address.ts";
import { type ConnectorFixture, createConnectorFixture, type TestAgent } from "../../testing/connector-fixture.ts";
import { type DocumentHost, startDocumentHost, startTrap, type Trap } from "../../testing/document-host.ts";
import type { HttpBrowser, Visit } from "../../testing/http-browser.ts";
import type { TestOrg } from "../../testing/identity-fixture.ts";

const REDIRECT = "https://agent.example.com/cb";
/** Stands for a public machine, as far as the guard is concerned. */
const OUTSIDE = "127.0.0.2";
let fixture: ConnectorFixture;
let org: TestOrg;
let host: DocumentHost;
let trap: Trap;
/** What names resolve to; `agent.example.com` is outside unless a test says otherwise. */
let names: Record<string, string[][]> = {};
/** Why no connection was made to `inside.example.com`. */
const unconnected: string[] = [];
const noteUnconnected = (failed: unknown): void => {
  const { error, connectParams } = failed as { error: Error; connectParams: { hostname: string } };
  if (connectParams.hostname === "inside.example.com") unconnected.push(error.message);
};

beforeAll(async () => {
  subscribe("undici:client:connectError", noteUnconnected);
  host = await startDocumentHost(OUTSIDE);
  trap = await startTrap();
  fixture = await createConnectorFixture({
    guard: {
      ca: host.ca,
      isAllowed: (address) => address === OUTSIDE || isPublicAddress(address),
      resolve: async (name) => {
        const answers = names[name] ?? [[OUTSIDE]];
        const next = answers.length > 1 ? answers.shift() : answers[0];
        return (next ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
    },
  });
  org = await fixture.createTestOrg("Documents");
});

afterAll(async () => {
  unsubscribe("undici:client:connectError", noteUnconnected);
  await fixture?.close();
  await Promise.all([host?.close(), trap?.close()]);
});

beforeEach(async () => {
  names = {};
  host.answers.clear();
  host.asked.length = 0;
  trap.reached = 0;
  unconnected.length = 0;
  await sql`truncate identity.client_documents, identity.platform_access_grants cascade`.execute(db());
});

const db = () => fixture.context.db;
const email = (): string => org.members.viewer.email;
const agentOf = (clientId: string): TestAgent => fixture.newAgent(clientId, REDIRECT);
const open = (clientId: string): Promise<Visit> => fixture.newBrowser().get(agentOf(clientId).authorizeUrl());
const isPage = ({ status, text }: Visit): boolean => status === 200 && text.includes("<h1>Connect ");
const ask = (agent: TestAgent, browser: HttpBrowser = fixture.newBrowser()): Promise<Visit> =>
  fixture.ask(browser, email(), agent.authorizeUrl());

/** Why, as a page tells; or what came instead of one. */
function refusalIn({ status, location, text }: Visit): string {
  const isRefused = status === 400 && !location && text.includes("This agent cannot be connected");
  return isRefused ? (/<code>([^<]*)/.exec(text)?.[1] ?? "") : `${status} ${location?.href ?? text}`;
}

describe("a client whose id is the address of its own description", () => {
  it("connects without being registered, and no row is made for it", async () => {
    const agent = agentOf(host.publish("/client.json", { client_name: "Described" }));
    const browser = fixture.newBrowser();
    const page = await ask(agent, browser);
    for (const shown of ["Described", new URL(host.origin).host, "agent.example.com"])
      expect(page.text).toContain(shown);
    const { status, body } = await agent.redeem(await fixture.decide(browser, page));
    expect(status).toBe(200);
    expect((await agent.refresh(body.refresh_token)).status).toBe(200);
    const { rows } = await sql`select from identity.platform_oauth_clients`.execute(db());
    expect(rows).toHaveLength(0);
  });

  it("is fetched at each authorization, once, and not for its tokens", async () => {
    const agent = agentOf(host.publish("/counted.json"));
    const tokens = await fixture.connect(agent, email());
    expect(host.asked).toEqual(["/counted.json"]);
    await agent.refresh(tokens.refresh_token);
    expect(host.asked).toEqual(["/counted.json"]);
    await ask(agent);
    expect(host.asked).toEqual(["/counted.json", "/counted.json"]);
  });

  it("must be approved again when the description has changed in anything, and is not otherwise", async () => {
    const agent = agentOf(host.publish("/changing.json", { client_uri: "https://agent.example.com/one" }));
    const { refresh_token } = await fixture.connect(agent, email());
    expect((await ask(agent)).location?.searchParams.has("code")).toBe(true);
    host.publish("/changing.json", { client_uri: "https://agent.example.com/two" });
    const changed = await ask(agent);
    expect([isPage(changed), changed.text.includes("describes itself differently")]).toEqual([true, true]);
    // It is the same client: what was allowed before goes on until the person decides otherwise.
    expect((await agent.refresh(refresh_token)).status).toBe(200);
  });

  it("shows and approves what was fetched, also when it changes while the person reads", async () => {
    const agent = agentOf(host.publish("/switching.json", { client_name: "Before" }));
    const browser = fixture.newBrowser();
    const page = await ask(agent, browser);
    host.publish("/switching.json", { client_name: "After" });
    await fixture.decide(browser, page);
    const { rows } = await sql<{
      client_name: string;
    }>`select client_name from identity.platform_access_grants`.execute(db());
    expect(rows.map(({ client_name }) => client_name)).toEqual(["Before"]);
    expect(isPage(await ask(agent))).toBe(true);
  });

  it("renews from the copy for a day while its host is away, and is told to come back after that", async () => {
    const agent = agentOf(host.publish("/away.json"));
    const tokens = await fixture.connect(agent, email());
    host.answers.set("/away.json", { status: 503 });
    const { status, body } = await agent.refresh(tokens.refresh_token);
    expect(status).toBe(200);
    await sql`update identity.client_documents set fetched_at = now() - interval '25 hours'`.execute(db());
    const refused = await agent.refresh(body.refresh_token);
    expect([refused.status, refused.body.error]).toEqual([503, "temporarily_unavailable"]);
    host.publish("/away.json");
    expect((await agent.refresh(body.refresh_token)).status).toBe(200);
  });

  it("is stopped by a row, at the authorization as at the renewal, and its grants end", async () => {
    const clientId = host.publish("/blocked.json");
    const agent = agentOf(clientId);
    const tokens = await fixture.connect(agent, email());
    await sql`insert into identity.platform_oauth_clients (client_id, is_active) values (${clientId}, false)`.execute(
      db(),
    );
    host.asked.length = 0;
    expect(refusalIn(await open(clientId))).toMatch(/client is invalid/);
    expect((await agent.refresh(tokens.refresh_token)).body.error).toBe("invalid_client");
    expect(host.asked).toEqual([]);
    await enableClient(fixture.context, clientId);
    expect((await agent.refresh(tokens.refresh_token)).status).toBe(200);
    expect(await disableClient(fixture.context, clientId)).toBe(1);
    await enableClient(fixture.context, clientId);
    expect((await agent.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    await sql`delete from identity.platform_oauth_clients`.execute(db());
  });

  it("may use any port of the person's own machine where its description names none, and nothing else", async () => {
    const redirectUris = ["http://localhost/callback", "http://127.0.0.1/callback", REDIRECT];
    const clientId = host.publish("/native.json", { redirect_uris: redirectUris });
    const openWith = (uri: string): Promise<Visit> =>
      fixture.newBrowser().get(fixture.newAgent(clientId, uri).authorizeUrl());
    for (const uri of ["http://localhost:3118/callback", "http://127.0.0.1:1/callback", "http://localhost/callback"])
      expect([uri, (await openWith(uri)).location?.pathname]).toEqual([
        uri,
        expect.stringMatching(/^\/oauth\/consent\//),
      ]);
    const others = ["http://localhost:3118/callback/", "http://[::1]:3118/callback", "https://localhost:3118/callback"];
    for (const uri of [...others, `${REDIRECT}?x`, REDIRECT.replace(".com/", ".com:8443/")])
      expect([uri, refusalIn(await openWith(uri))]).toEqual([uri, expect.stringMatching(/redirect_uri/)]);
  });

  it("is stopped while the person reads", async () => {
    const clientId = host.publish("/late.json");
    const agent = agentOf(clientId);
    const browser = fixture.newBrowser();
    const page = await ask(agent, browser);
    await disableClient(fixture.context, clientId);
    await expect(fixture.decide(browser, page)).rejects.toThrow("not sent back");
    await sql`delete from identity.platform_oauth_clients`.execute(db());
  });
});

describe("a client that signs for itself", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const assertion = (clientId: string, change = {}) =>
    new SignJWT({ jti: randomUUID(), ...change })
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(`${fixture.issuer}/oauth/token`)
      .setIssuedAt()
      .setExpirationTime("1m")
      .sign(privateKey);
  const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  it("gets tokens with its signature, which is good once, and none without", async () => {
    host.answers.set("/keys.json", { body: { keys: [{ ...(await exportJWK(publicKey)), kid: "1", use: "sig" }] } });
    const clientId = host.publish("/signing.json", {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: `${host.origin}/keys.json`,
    });
    const agent = agentOf(clientId);
    const browser = fixture.newBrowser();
    const back = await fixture.decide(browser, await ask(agent, browser));
    expect((await agent.redeem(back)).body.error).toBe("invalid_client");
    const signed = { client_assertion: await assertion(clientId), client_assertion_type: TYPE };
    const { status, body } = await agent.redeem(back, signed);
    expect(status).toBe(200);
    expect((await agent.refresh(body.refresh_token, signed)).body.error).toBe("invalid_client");
    const fresh = { ...signed, client_assertion: await assertion(clientId) };
    expect((await agent.refresh(body.refresh_token, fresh)).status).toBe(200);
  });

  it("cannot make us fetch its keys from inside", async () => {
    names["inside.example.com"] = [["127.0.0.1"]];
    const jwksUri = `https://inside.example.com:${trap.port}/keys.json`;
    const clientId = host.publish("/keys-inside.json", {
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: jwksUri,
    });
    const agent = agentOf(clientId);
    const browser = fixture.newBrowser();
    const back = await fixture.decide(browser, await ask(agent, browser));
    const signed = { client_assertion: await assertion(clientId), client_assertion_type: TYPE };
    expect((await agent.redeem(back, signed)).status).toBeGreaterThanOrEqual(400);
    expect(trap.reached).toBe(0);
  });
});

describe("a description is refused", () => {
  const SIGNING = { token_endpoint_auth_method: "private_key_jwt" };
  it.each([
    ["with another id", { client_id: "https://agent.example.com/other.json" }, /another client_id/],
    ["with a secret", { client_secret: "s" }, /no secret/],
    ["with the end of a secret", { client_secret_expires_at: 0 }, /no secret/],
    ["that needs a shared secret", { token_endpoint_auth_method: "client_secret_post" }, /none or private_key_jwt/],
    ["that signs without keys", { token_endpoint_auth_method: "private_key_jwt" }, /its keys/],
    ["with http elsewhere", { redirect_uris: [REDIRECT, "http://evil.example/cb"] }, /must use https/],
    ["with a wildcard", { redirect_uris: ["https://*.example.com/cb"] }, /wildcard/],
    ["with a fragment", { redirect_uris: [`${REDIRECT}#`] }, /fragment/],
    ["with a name in a redirect", { redirect_uris: ["https://user@agent.example.com/cb"] }, /name or password/],
    ["with a character that no text has", { jwks: { keys: [], x: "\0" }, ...SIGNING }, /NUL/],
    ["without redirects", { redirect_uris: undefined }, /1 to 20/],
    ["for another grant type", { grant_types: ["client_credentials"] }, /authorization_code/],
  ])("%s", async (_what, document, because) => {
    expect(refusalIn(await open(host.publish("/bad.json", document)))).toMatch(because);
  });

  it.each([
    ["of more than 5 KB", { body: JSON.stringify({ client_id: "x", padding: "x".repeat(6_000) }) }, /larger than 5120/],
    ["that is no JSON", { body: "<html></html>" }, /no JSON object/],
    ["that is a list", { body: "[]" }, /no JSON object/],
    ["of another type", { headers: { "content-type": "text/html" }, body: "{}" }, /application\/json/],
    ["that is not there", { status: 404 }, /answers 404/],
    ["whose host fails", { status: 500 }, /answers 500/],
  ])("%s", async (_what, answer, because) => {
    host.publish("/odd.json");
    host.answers.set("/odd.json", answer);
    expect(refusalIn(await open(`${host.origin}/odd.json`))).toMatch(because);
  });

  it("from its 5,121st byte on", async () => {
    const clientId = host.publish("/large.json");
    const withPadding = (padding: string): string =>
      JSON.stringify({ client_id: clientId, client_name: "Large", redirect_uris: [REDIRECT], padding });
    const padding = "x".repeat(5_120 - withPadding("").length);
    host.answers.set("/large.json", { body: withPadding(padding) });
    expect((await open(clientId)).status).toBe(303);
    host.answers.set("/large.json", { body: withPadding(`${padding}x`) });
    expect(refusalIn(await open(clientId))).toMatch(/larger than 5120/);
  });

  it("behind a redirect, which is not followed, wherever it leads", async () => {
    host.publish("/target.json");
    for (const location of ["/target.json", `https://127.0.0.1:${trap.port}/`, `http://127.0.0.1:${trap.port}/`]) {
      host.answers.set("/moved.json", { status: 302, headers: { location } });
      expect(refusalIn(await open(`${host.origin}/moved.json`))).toMatch(/cannot be fetched/);
    }
    expect([host.asked.includes("/target.json"), trap.reached]).toEqual([false, 0]);
  });

  it.each([
    ["without a path", () => host.origin],
    ["with a bare slash", () => `${host.origin}/`],
    ["with a fragment", () => `${host.origin}/a.json#x`],
    ["with a name", () => `https://user@agent.example.com:${host.port}/a.json`],
    ["with a way up", () => `${host.origin}/x/../a.json`],
    ["in another case", () => `${host.origin.replace("agent", "AGENT")}/a.json`],
    ["over http", () => `${host.origin.replace("https", "http")}/a.json`],
    ["longer than anyone needs", () => `${host.origin}/${"x".repeat(500)}`],
  ])("at an address %s, unread", async (_what, address) => {
    host.publish("/a.json");
    expect(refusalIn(await open(address()))).toMatch(/client is invalid/);
    expect(host.asked).toEqual([]);
  });
});

describe("an address that leads inside is not even connected to", () => {
  it.each([
    ["127.0.0.1"],
    ["localhost"],
    ["[::1]"],
    ["[::ffff:127.0.0.1]"],
    ["[::ffff:7f00:1]"],
    ["127.1"],
    ["2130706433"],
    ["0x7f000001"],
    ["0177.0.0.1"],
    ["0"],
    ["0.0.0.0"],
    ["[::]"],
    ["inside.example.com"],
  ])("%s", async (name) => {
    names["inside.example.com"] = [["127.0.0.1"]];
    names["localhost"] = [["127.0.0.1"]];
    const page = await open(`https://${name}:${trap.port}/client.json`);
    expect([page.status, trap.reached]).toEqual([400, 0]);
  });

  it.each([
    ["a private one", ["10.0.0.7"]],
    ["the cloud's own", ["169.254.169.254"]],
    ["the carrier's own", ["100.64.0.1"]],
    ["one inside among ones outside", [OUTSIDE, "127.0.0.1"]],
    ["none", []],
  ])("whose name has %s", async (_what, addresses) => {
    names["inside.example.com"] = [addresses];
    expect(refusalIn(await open(`https://inside.example.com:${trap.port}/client.json`))).toMatch(/cannot be fetched/);
    expect(unconnected).toEqual(["inside.example.com is not a public address"]);
    expect([trap.reached, host.asked]).toEqual([0, []]);
  });

  it("whose name changes its mind between two questions", async () => {
    const inside = await startTrap("127.0.0.1", host.port);
    names["agent.example.com"] = [[OUTSIDE], ["127.0.0.1"]];
    const clientId = host.publish("/rebinding.json");
    const visits = [await open(clientId), await open(clientId), await open(clientId)];
    await inside.close();
    expect(visits.map(({ status }) => status)).toEqual([303, 400, 400]);
    expect(inside.reached).toBe(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CALLBACK,
  type ConnectorFixture,
  createConnectorFixture,
  type TestAgent,
} from "../../testing/connector-fixture.ts";
import type { TestOrg } from "../../testing/identity-fixture.ts";
import type { Visit } from "../../testing/http-browser.ts";

let fixture: ConnectorFixture;
let org: TestOrg;
let agent: TestAgent;

beforeAll(async () => {
  fixture = await createConnectorFixture();
  org = await fixture.createTestOrg("Authorize");
  agent = await fixture.newRegisteredAgent();
});

afterAll(() => fixture?.close());

const open = (url: string): Promise<Visit> => fixture.newBrowser().get(url);
const goesOn = ({ status, location }: Visit): boolean =>
  status === 303 && location?.pathname.startsWith("/oauth/consent/") === true;

/** "an error page" where it is one for people that says what is wrong and leads nowhere; else what it is instead. */
function kindOf({ status, location, headers, text }: Visit): string {
  const policy = headers.get("content-security-policy") ?? "";
  const isSafe = /^default-src 'none'; style-src 'self';.*base-uri 'none'$/.test(policy) && !text.includes("<script");
  const isPage = headers.get("content-type") === "text/html; charset=utf-8" && !location;
  const isRight = text.includes("<h1>This agent cannot be connected</h1>");
  const isKept = headers.get("cache-control") !== "no-store";
  if (status === 400 && isSafe && isPage && isRight && !isKept) return "an error page";
  return `${status} ${location?.href ?? text}`;
}

describe("a redirect URI that was not registered gets a page, never a redirect", () => {
  it.each([
    ["a slash more", `${CALLBACK}/`],
    ["a query more", `${CALLBACK}?x=1`],
    ["another case", CALLBACK.replace("callback", "Callback")],
    ["another case of the host", CALLBACK.replace("agent", "AGENT")],
    ["a way up and down", CALLBACK.replace("/callback", "/x/../callback")],
    ["an escape", CALLBACK.replace("callback", "c%61llback")],
    ["a name", CALLBACK.replace("https://", "https://user@")],
    ["http for https", CALLBACK.replace("https:", "http:")],
    ["another host", "https://evil.example/callback"],
    ["another host in front", "https://agent.example.com.evil.example/callback"],
    ["another port", CALLBACK.replace(".com/", ".com:8443/")],
    ["the same port, written", CALLBACK.replace(".com/", ".com:443/")],
    ["a fragment", `${CALLBACK}#x`],
    ["a script", "javascript:alert(1)"],
    ["markup", `"><script>alert(1)</script>`],
    ["nothing", ""],
  ])("with %s", async (_what, redirectUri) => {
    expect(kindOf(await open(agent.authorizeUrl({ redirect_uri: redirectUri })))).toBe("an error page");
  });

  it("left out", async () => {
    expect(kindOf(await open(agent.authorizeUrl({ redirect_uri: undefined })))).toBe("an error page");
  });

  it("given twice", async () => {
    const url = `${agent.authorizeUrl()}&redirect_uri=${encodeURIComponent("https://evil.example/")}`;
    expect(kindOf(await open(url))).toBe("an error page");
  });

  it("also when something else is wrong as well", async () => {
    const evil = { redirect_uri: "https://evil.example/", response_type: "token", code_challenge: undefined };
    expect(kindOf(await open(agent.authorizeUrl(evil)))).toBe("an error page");
  });
});

describe("a program on the person's own machine", () => {
  it.each(["http://127.0.0.1/cb", "http://[::1]/cb", "http://localhost/cb"])("may use any port of %s", async (uri) => {
    const native = await fixture.newRegisteredAgent(uri);
    const otherPort = uri.replace("/cb", ":49321/cb");
    expect(goesOn(await open(native.authorizeUrl({ redirect_uri: uri })))).toBe(true);
    expect(goesOn(await open(native.authorizeUrl({ redirect_uri: otherPort })))).toBe(true);
    const changed = ["/CB", "/cb/", "/cb?x", "/x/../cb", "/%63b", ".evil.example/cb"].map((end) =>
      otherPort.replace("/cb", end),
    );
    for (const other of [...changed, otherPort.replace("http:", "https:"), otherPort.replace("://", "://user@")])
      expect([other, kindOf(await open(native.authorizeUrl({ redirect_uri: other })))]).toEqual([
        other,
        "an error page",
      ]);
  });

  it("may not use another name of the machine than it registered", async () => {
    const native = await fixture.newRegisteredAgent("http://127.0.0.1/only");
    for (const other of ["http://localhost:1/only", "http://127.0.0.2:1/only", "http://127.1:1/only"])
      expect(kindOf(await open(native.authorizeUrl({ redirect_uri: other })))).toBe("an error page");
  });
});

describe("PKCE", () => {
  it.each([
    ["without a challenge", { code_challenge: undefined, code_challenge_method: undefined }],
    ["without a method", { code_challenge_method: undefined }],
    ["with plain", { code_challenge_method: "plain" }],
    ["with a challenge that is none", { code_challenge: "short" }],
  ])("%s the agent is told so", async (_what, change) => {
    const { status, location } = await open(agent.authorizeUrl(change));
    expect([status, location?.origin]).toEqual([303, new URL(CALLBACK).origin]);
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
      error: "invalid_request",
      iss: fixture.issuer,
      state: "the state",
    });
    expect(location?.searchParams.has("code")).toBe(false);
  });
});

describe("an authorization request", () => {
  it.each([
    ["another response type", { response_type: "token" }, "invalid_request"],
    ["an unknown response type", { response_type: "wish" }, "unsupported_response_type"],
    ["another response mode", { response_mode: "form_post" }, "unsupported_response_mode"],
    ["scopes that are none of ours", { scope: "data:drop" }, "invalid_scope"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["no page for the person", { prompt: "none" }, "interaction_required"],
    ["a state that nobody can keep", { state: "a\0b" }, "invalid_request"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
  ])("with %s is refused to the agent", async (_what, change, error) => {
    const { location } = await open(agent.authorizeUrl(change));
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({ error, iss: fixture.issuer });
  });

  it.each([
    ["our resource with a slash", { resource: "https://mcp.example.com/platform/" }],
    ["no resource", { resource: undefined }],
    ["no scope", { scope: undefined }],
    ["what only OpenID Connect knows", { nonce: "n", max_age: "0", scope: "openid" }],
    ["a wish to choose the account", { prompt: "select_account" }],
  ])("with %s goes on", async (_what, change) => expect(goesOn(await open(agent.authorizeUrl(change)))).toBe(true));

  it("of a client that nobody knows gets a page", async () => {
    for (const clientId of ["dyn_unknown", "", "dyn_\0", "https://agent.example.com", "http://agent.example.com/x"])
      expect(kindOf(await open(agent.authorizeUrl({ client_id: clientId })))).toBe("an error page");
  });

  it("makes addresses of the issuer alone, whatever host the caller names", async () => {
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    const { status, text, location } = await fixture.newBrowser().get(agent.authorizeUrl(), headers);
    expect([status, location?.host, text.includes("evil")]).toEqual([303, new URL(fixture.issuer).host, false]);
  });

  it("leads back with the answer of another resource's name, and tokens that are for the canonical one", async () => {
    const browser = fixture.newBrowser();
    const url = agent.authorizeUrl({ resource: "https://MCP.example.com/platform/" });
    const back = await fixture.decide(browser, await fixture.ask(browser, org.members.viewer.email, url));
    const { body } = await agent.redeem(back, { resource: "https://mcp.example.com/platform//" });
    const claims = JSON.parse(Buffer.from(body.access_token.split(".")[1], "base64url").toString());
    expect(claims.aud).toBe("https://mcp.example.com/platform");
  });
});

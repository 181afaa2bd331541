import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertMember } from "../../queries/members.ts";
import { type ConnectorFixture, createConnectorFixture, type TestAgent } from "../../testing/connector-fixture.ts";
import type { HttpBrowser, Visit } from "../../testing/http-browser.ts";
import type { TestOrg } from "../../testing/identity-fixture.ts";

let fixture: ConnectorFixture;
let org: TestOrg;
let other: TestOrg;
let agent: TestAgent;
let grants = 0;

beforeAll(async () => {
  fixture = await createConnectorFixture({ clientLimits: { inAll: 1_000, perOrigin: 1_000 } });
  org = await fixture.createTestOrg("Consent");
  other = await fixture.createTestOrg("Other");
  agent = await fixture.newRegisteredAgent();
});

afterAll(() => fixture?.close());

const db = () => fixture.context.db;
const isPage = ({ status, text }: Visit): boolean => status === 200 && text.includes("<h1>Connect ");
const secretIn = ({ text }: Visit): string => /name="secret" value="([^"]+)"/.exec(text)?.[1] ?? "";
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
const answerOf = (page: Visit, change = {}) => ({ secret: secretIn(page), decision: "allow", org: org.id, ...change });

async function countGrants(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from identity.platform_access_grants`.execute(
    db(),
  );
  return rows[0]?.n ?? -1;
}

/** A person in front of the page, with the number of grants as they are before the answer. */
async function atThePage(
  email: string,
  url = agent.authorizeUrl({ prompt: "consent" }),
): Promise<{ browser: HttpBrowser; page: Visit }> {
  const browser = fixture.newBrowser();
  const page = await fixture.ask(browser, email, url);
  expect(isPage(page)).toBe(true);
  grants = await countGrants();
  return { browser, page };
}

describe("the consent page", () => {
  it("runs nothing, is kept nowhere, is framed by nobody, and its form leads here alone", async () => {
    const { page } = await atThePage(org.members.viewer.email);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; .*frame-ancestors 'none'; base-uri 'none'$/);
    expect(policy).toContain("form-action 'self';");
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).not.toContain("<script");
    expect(page.text).toContain("Nobody here has checked that");
    expect(page.text).not.toContain("your own computer");
  });

  it("warns of a program on the person's own machine", async () => {
    const native = await fixture.newRegisteredAgent("http://127.0.0.1/cb");
    const { page } = await atThePage(
      org.members.viewer.email,
      native.authorizeUrl({ redirect_uri: "http://127.0.0.1:4711/cb" }),
    );
    expect(page.text).toContain("runs on your own computer");
    expect(page.text).toContain("127.0.0.1:4711");
  });

  it("shows a name as text, without what turns or hides it", async () => {
    const name = `<b>Bank</b>\u202Egnp.exe\u200B\n"'&`;
    const { body } = await fixture.register({ client_name: name, redirect_uris: ["https://evil.example/cb"] });
    const evil = fixture.newAgent(body.client_id, "https://evil.example/cb");
    const { page } = await atThePage(org.members.viewer.email, evil.authorizeUrl());
    expect(page.text).toContain("&lt;b&gt;Bank&lt;/b&gt;gnp.exe&quot;&#39;&amp;");
    expect(page.text).not.toMatch(/<b>|[\u202E\u200B]/);
  });

  it("says each scope that is asked for in plain words, and no other", async () => {
    const { page } = await atThePage(org.members.viewer.email, agent.authorizeUrl({ scope: "notifications:write" }));
    expect(page.text).toContain("Mark your notifications as read");
    expect(page.text).not.toContain("Search the data sources");
  });
});

describe("an answer", () => {
  it("no: tells the agent so and allows nothing", async () => {
    const { browser, page } = await atThePage(org.members.viewer.email);
    const back = await fixture.decide(browser, page, { decision: "deny" });
    const said = Object.fromEntries(back.searchParams);
    expect(said).toMatchObject({ error: "access_denied", state: "the state", iss: fixture.issuer });
    expect(await countGrants()).toBe(grants);
  });

  it("from another site's page is refused", async () => {
    const { browser, page } = await atThePage(org.members.viewer.email);
    const forged = await browser.post(page.url, answerOf(page), "https://evil.example");
    expect([forged.status, await countGrants()]).toEqual([403, grants]);
  });

  it("without the page's own secret shows the page again", async () => {
    const { browser, page } = await atThePage(org.members.viewer.email);
    for (const secret of ["", "x", "x".repeat(43)]) {
      const guessed = await browser.post(page.url, answerOf(page, { secret }));
      expect([guessed.status, guessed.location?.href]).toEqual([303, page.url.href]);
    }
    expect(await countGrants()).toBe(grants);
  });

  it("from a browser that did not bring the agent's request is refused", async () => {
    const { page } = await atThePage(org.members.viewer.email);
    const victim = await atThePage(org.members.admin.email);
    const crossed = await victim.browser.post(page.url, answerOf(page));
    expect([crossed.status, crossed.text.includes("This request has expired")]).toEqual([400, true]);
    expect((await victim.browser.get(page.url)).status).toBe(400);
    expect(await countGrants()).toBe(grants);
  });

  it("of somebody who signed in after the page was shown to another counts for nobody", async () => {
    const { browser, page } = await atThePage(org.members.viewer.email);
    const signInPage = await browser.get(`${fixture.appUrl}/login?redirect_to=${encodeURIComponent(page.url.href)}`);
    await fixture.signIn(browser, org.members.admin.email, signInPage);
    const stale = await browser.post(page.url, answerOf(page));
    expect([stale.status, stale.location?.href, await countGrants()]).toEqual([303, page.url.href, grants]);
    expect((await browser.get(page.url)).text).toContain(org.members.admin.email);
  });

  it("after signing out leads to signing in", async () => {
    const { browser, page } = await atThePage(org.members.viewer.email);
    await browser.post(`${fixture.appUrl}/logout`, {});
    const late = await browser.post(page.url, answerOf(page));
    expect([late.status, late.location?.pathname, await countGrants()]).toEqual([303, "/login", grants]);
  });

  it("counts once", async () => {
    const { browser, page } = await atThePage(org.members.viewer.email);
    await fixture.decide(browser, page);
    const again = await browser.post(page.url, answerOf(page));
    expect([again.status, again.text.includes("This request has expired")]).toEqual([400, true]);
  });

  it.each([{ decision: "perhaps" }, { secret: "x".repeat(200) }, { org: "x".repeat(200) }])(
    "that no page sends gets a page: %o",
    async (change) => {
      const { browser, page } = await atThePage(org.members.viewer.email);
      const odd = await browser.post(page.url, answerOf(page, change));
      expect([odd.status, odd.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    },
  );
});

describe("a person who has allowed an agent before", () => {
  const ask = async (of: TestAgent, email: string, change = {}) =>
    fixture.ask(fixture.newBrowser(), email, of.authorizeUrl(change));

  it("is not asked again for the same or less, and it stays one grant", async () => {
    const { email } = org.members.developer;
    const known = await fixture.newRegisteredAgent();
    const first = await fixture.connect(known, email);
    const again = await ask(known, email);
    expect(again.location?.searchParams.get("code")).toBeTruthy();
    const { body } = await known.redeem(again.location ?? new URL(fixture.issuer));
    expect(claimsOf(body.access_token).grant_id).toBe(claimsOf(first.access_token).grant_id);
  });

  it("is asked for more, when the agent wants it, and once the grant is over", async () => {
    const { email } = org.members.developer;
    const known = await fixture.newRegisteredAgent();
    const { refresh_token } = await fixture.connect(known, email);
    expect(isPage(await ask(known, email, { scope: "data:read apps:read" }))).toBe(true);
    expect(isPage(await ask(known, email, { prompt: "consent" }))).toBe(true);
    expect(isPage(await ask(known, org.members.viewer.email))).toBe(true);
    await fixture.sendForm("/oauth/revoke", { token: refresh_token, client_id: known.clientId });
    expect(isPage(await ask(known, email))).toBe(true);
  });

  it("is always asked by a program on their own machine, and each time is a grant of its own", async () => {
    const { email } = org.members.developer;
    const native = await fixture.newRegisteredAgent("http://localhost/cb");
    const first = await fixture.connect(native, email);
    expect(isPage(await ask(native, email))).toBe(true);
    const second = await fixture.connect(native, email);
    expect(claimsOf(second.access_token).grant_id).not.toBe(claimsOf(first.access_token).grant_id);
  });
});

describe("a person in two organizations", () => {
  it("chooses one, without which nothing is allowed, and the tokens are for that one alone", async () => {
    const { email, userId } = org.members.owner;
    await insertMember(db(), other.id, userId, "viewer");
    const { browser, page } = await atThePage(email);
    expect(page.text).toContain("In which organization?");
    expect(page.text).not.toMatch(/<input[^>]* checked/);
    const undecided = await browser.post(page.url, answerOf(page, { org: "" }));
    expect([undecided.status, undecided.text.includes("Choose the organization")]).toEqual([400, true]);
    const strange = await fixture.createTestOrg("Strange");
    expect((await browser.post(page.url, answerOf(page, { org: strange.id }))).status).toBe(400);
    expect(await countGrants()).toBe(grants);
    const { body } = await agent.redeem(await fixture.decide(browser, page, { org: other.id }));
    expect(claimsOf(body.access_token).org).toBe(other.id);
    const renewed = await agent.refresh(body.refresh_token);
    expect(claimsOf(renewed.body.access_token).org).toBe(other.id);
    // And is asked each time, since it may be for the other one.
    expect(isPage(await fixture.ask(fixture.newBrowser(), email, agent.authorizeUrl()))).toBe(true);
  });

  it("in none yet is led to make one, and then back to the agent's request", async () => {
    const browser = fixture.newBrowser();
    const page = await fixture.ask(browser, "nobody@nowhere.example", agent.authorizeUrl());
    expect(page.url.pathname).toBe("/auth/no-organization");
    const redirectTo = page.url.searchParams.get("redirect_to") ?? "";
    const made = await browser.post(`${fixture.appUrl}/auth/organization`, { name: "Mine", redirect_to: redirectTo });
    expect((await browser.follow(made)).text).toContain("<dd>Mine</dd>");
  });
});

describe("signing in on another host than agents know", () => {
  let split: ConnectorFixture;
  let apart: TestOrg;

  beforeAll(async () => {
    split = await createConnectorFixture({ isSplit: true });
    apart = await split.createTestOrg("Apart");
  });
  afterAll(() => split?.close());

  it("leads through a code that is used once, and the session's cookie stays on its own host", async () => {
    const away = await split.newRegisteredAgent();
    const browser = split.newBrowser();
    const page = await split.ask(browser, apart.members.viewer.email, away.authorizeUrl());
    expect([isPage(page), page.url.origin, page.url.search]).toEqual([true, split.issuer, ""]);
    const sessions = browser.cookies.filter(({ name }) => name === "svc_session");
    expect(sessions.map(({ host }) => host)).toEqual(["localhost"]);
    const { status } = await away.redeem(await split.decide(browser, page));
    expect(status).toBe(200);
  });

  it("does not ask who is signed in there to sign in again, and ends with that session", async () => {
    const away = await split.newRegisteredAgent("http://localhost/cb");
    const browser = split.newBrowser();
    await split.decide(browser, await split.ask(browser, apart.members.admin.email, away.authorizeUrl()));
    const isBack = (location: URL): boolean => location.pathname === "/cb";
    const page = await browser.follow(await browser.get(away.authorizeUrl()), isBack);
    expect(isPage(page)).toBe(true);
    await browser.post(`${split.appUrl}/logout`, {});
    const late = await browser.post(page.url, { secret: secretIn(page), decision: "allow", org: apart.id });
    expect([late.status, late.location?.origin, late.location?.pathname]).toEqual([303, split.appUrl, "/login"]);
  });

  it("refuses a code that is none of its own", async () => {
    const away = await split.newRegisteredAgent();
    const browser = split.newBrowser();
    const { location } = await browser.get(away.authorizeUrl());
    const odd = await browser.get(`${location?.href}?svc_code=${"x".repeat(43)}`);
    expect([odd.status, odd.text.includes("This request has expired")]).toEqual([400, true]);
  });
});

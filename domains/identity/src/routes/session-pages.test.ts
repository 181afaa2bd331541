import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PROBLEMS } from "../pages/problem-page.ts";
import { REFUSAL_KINDS } from "../sign-in/refusal.ts";
import {
  type Answer,
  BASE,
  type Browser,
  CONSOLE,
  createSignInFixture,
  pageOf,
  type SignInFixture,
} from "../testing/sign-in-fixture.ts";

const ADA = { sub: "g-1", email: "ada@acme.example", email_verified: true, hd: "acme.example", name: "Ada" };
let fixture: SignInFixture;

beforeAll(async () => {
  fixture = await createSignInFixture();
});
afterAll(() => fixture?.close());
beforeEach(() => sql`truncate identity.orgs, identity.users, identity.audit cascade`.execute(fixture.context.db));

const createOrg = (browser: Browser, name = "Acme"): Promise<Answer> =>
  browser.post("/auth/organization", { name, redirect_to: `${BASE}/` });

describe("GET /auth/no-organization", () => {
  it("200: names the address to invite, and offers to make an organization", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    const answer = await browser.get(`/auth/no-organization?redirect_to=${CONSOLE}/x`);
    expect(pageOf(answer)).toEqual([200, "You are not in an organization yet"]);
    expect(answer.text).toMatch(/invitation to\s+<strong>ada@acme.example<\/strong>/);
    expect(answer.headers["content-security-policy"]).toContain(`form-action 'self' ${CONSOLE};`);
  });

  it("200: does not promise that an invitation helps when nobody vouches for the address", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn({ ...ADA, email_verified: false });
    const { text } = await browser.get("/auth/no-organization");
    expect(text).toContain("does not prove that");
  });

  it("303: to the sign-in page without a session, and on for who is in an organization", async () => {
    const browser = fixture.newBrowser();
    const stranger = await browser.get(`/auth/no-organization?redirect_to=${BASE}/a`);
    expect(stranger.location.href).toBe(`${BASE}/login?redirect_to=${encodeURIComponent(`${BASE}/a`)}`);
    await browser.signIn(ADA);
    await createOrg(browser);
    expect((await browser.get(`/auth/no-organization?redirect_to=${BASE}/a`)).location.href).toBe(`${BASE}/a`);
  });

  it("400: a redirect that is not ours", async () => {
    const answer = await fixture.newBrowser().get("/auth/no-organization?redirect_to=https://evil.example");
    expect(pageOf(answer)).toEqual([400, "That link leads somewhere else"]);
  });

  it("503: while the database is away", async () => {
    const browser = fixture.newBrowser(fixture.stranded);
    browser.cookies.set("svc_session", "A".repeat(43));
    expect(pageOf(await browser.get("/auth/no-organization"))).toEqual([503, "We are not quite there"]);
  });
});

describe("POST /auth/organization", () => {
  it("303: makes the organization, and on to where the person wanted to go", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    const answer = await browser.post("/auth/organization", { name: " Acme ", redirect_to: `${CONSOLE}/x` });
    expect([answer.status, answer.location.origin]).toEqual([303, CONSOLE]);
    expect(answer.location.searchParams.get("svc_code")).toHaveLength(43);
    const { rows } = await sql`select name, role from identity.memberships
      join identity.orgs on orgs.id = org_id`.execute(fixture.context.db);
    expect(rows).toEqual([{ name: "Acme", role: "owner" }]);
  });

  it("303: a form that is sent twice makes one organization", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    expect([(await createOrg(browser)).status, (await createOrg(browser)).status]).toEqual([303, 303]);
    expect((await sql`select 1 from identity.orgs`.execute(fixture.context.db)).rows).toHaveLength(1);
  });

  it("303: to the sign-in page without a session", async () => {
    const answer = await createOrg(fixture.newBrowser());
    expect([answer.status, answer.location.pathname]).toEqual([303, "/login"]);
  });

  it("400: says what is wrong with the name, and repeats it", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    const answer = await createOrg(browser, "<x".repeat(101));
    expect(pageOf(answer)).toEqual([400, "You are not in an organization yet"]);
    expect(answer.text).toContain("Enter a name of 1 to 200 characters.");
    expect(answer.text).toContain("&lt;x&lt;x");
    expect((await createOrg(browser, "  ")).status).toBe(400);
    expect((await browser.post("/auth/organization", {})).status).toBe(400);
  });

  it.each(["https://evil.example", CONSOLE, "null"])("403: a form of %s", async (origin) => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    const answer = await browser.post("/auth/organization", { name: "Evil" }, origin);
    expect(pageOf(answer)).toEqual([403, "That did not come from this site"]);
    expect((await sql`select 1 from identity.orgs`.execute(fixture.context.db)).rows).toEqual([]);
  });
});

describe("POST /logout", () => {
  it("303: ends the session and clears its cookie, by a form or by fetch", async () => {
    for (const headers of [{ origin: BASE }, { origin: CONSOLE }, { "sec-fetch-site": "same-origin" }]) {
      const browser = fixture.newBrowser();
      await browser.signIn(ADA);
      const secret = browser.cookies.get("svc_session") ?? "";
      const answer = await browser.send("POST", "/logout", { headers: headers as {} });
      expect([answer.status, answer.location.pathname]).toEqual([303, "/auth/signed-out"]);
      expect(browser.cookies.has("svc_session")).toBe(false);
      browser.cookies.set("svc_session", secret);
      expect((await browser.get("/api/v1/session")).status).toBe(401);
    }
    expect((await fixture.newBrowser().post("/logout")).status).toBe(303);
  });

  it("403: from elsewhere, or from a browser that does not say", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    expect(pageOf(await browser.post("/logout", {}, "https://evil.example"))).toEqual([
      403,
      "That did not come from this site",
    ]);
    expect((await browser.send("POST", "/logout")).status).toBe(403);
    const crossSite = { headers: { "sec-fetch-site": "cross-site" } };
    expect((await browser.send("POST", "/logout", crossSite)).status).toBe(403);
    expect((await browser.get("/api/v1/session")).status).toBe(200);
  });
});

describe("pages that only say something", () => {
  it("200: signed out", async () => {
    expect(pageOf(await fixture.newBrowser().get("/auth/signed-out"))).toEqual([200, "You are signed out"]);
  });

  it.each(REFUSAL_KINDS)("%s, with its own status and a way to try again", async (kind) => {
    const answer = await fixture.newBrowser().get(`/auth/problem/${kind}?redirect_to=${BASE}/a&reference=abcdefgh`);
    expect(pageOf(answer)).toEqual([PROBLEMS[kind].status, PROBLEMS[kind].title]);
    expect(answer.text).toContain(`href="/login?redirect_to=${encodeURIComponent(`${BASE}/a`)}"`);
    expect(answer.text.includes("abcdefgh")).toBe(PROBLEMS[kind].status >= 500);
  });

  it("400: a problem that there is not, a reference that is none, a redirect that is not ours", async () => {
    const browser = fixture.newBrowser();
    expect((await browser.get("/auth/problem/nonsense")).status).toBe(400);
    expect((await browser.get("/auth/problem/internal?reference=call+0800+evil")).status).toBe(400);
    expect((await browser.get("/auth/problem/internal?redirect_to=https://evil.example")).status).toBe(400);
  });

  it("200: the one stylesheet, which browsers may keep", async () => {
    const browser = fixture.newBrowser();
    const { text } = await browser.get("/login");
    const answer = await browser.get(/href="(\/auth\/assets\/[^"]+)"/.exec(text)?.[1] ?? "");
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/css; charset=utf-8"]);
    expect(answer.headers["cache-control"]).toContain("immutable");
  });
});

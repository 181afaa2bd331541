import { createServer } from "@svc/platform/http";
import { recordingLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Answer,
  BASE,
  CONSOLE,
  createSignInFixture,
  pageOf,
  type SignInFixture,
} from "../testing/sign-in-fixture.ts";
import { signInRoutes } from "./sign-in.ts";

const ADA = { sub: "g-1", email: "ada@acme.example", email_verified: true, hd: "acme.example", name: "Ada" };
const BOB = { sub: "g-2", email: "bob@acme.example", email_verified: true, hd: "acme.example" };
let fixture: SignInFixture;

beforeAll(async () => {
  fixture = await createSignInFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  await sql`truncate identity.orgs, identity.users, identity.audit cascade`.execute(fixture.context.db);
  fixture.google.faults = {};
});

const problemOf = ({ status, location }: Answer): string => `${status} ${location.pathname}`;
const createOrg = (browser: ReturnType<SignInFixture["newBrowser"]>, name = "Acme"): Promise<Answer> =>
  browser.post("/auth/organization", { name, redirect_to: `${BASE}/` });

describe("GET /login", () => {
  it("200: offers the providers that are set up, and keeps where the person wants to go", async () => {
    const answer = await fixture.newBrowser().get(`/login?redirect_to=${encodeURIComponent(`${BASE}/a?b=c`)}`);
    expect(pageOf(answer)).toEqual([200, "Sign in to svc"]);
    expect(answer.text).toContain("Continue with Google");
    expect(answer.text).not.toContain("Microsoft");
    expect(answer.text).toContain(`/login?provider=google&amp;redirect_to=${encodeURIComponent(`${BASE}/a?b=c`)}`);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  it("200: says where a person goes on to when it is another place", async () => {
    const answer = await fixture.newBrowser().get(`/login?redirect_to=${CONSOLE}/x`);
    expect(answer.text).toContain("<strong>console.example.com</strong>");
  });

  it("303: straight on to another place, with a new code, for who is signed in already", async () => {
    const browser = fixture.newBrowser();
    const owner = { sub: "renews", email: "renews@gmail.com", email_verified: true };
    await browser.signIn(owner);
    await browser.post("/auth/organization", { name: "Renewing" });
    const again = await browser.get(`/login?redirect_to=${encodeURIComponent(`${CONSOLE}/deep`)}`);
    expect([again.status, again.location.origin, again.location.pathname]).toEqual([303, CONSOLE, "/deep"]);
    expect(again.location.searchParams.get("svc_code")).toMatch(/^\S{20,}$/);
    const stranger = await fixture.newBrowser().get(`/login?redirect_to=${encodeURIComponent(`${CONSOLE}/deep`)}`);
    expect(stranger.status).toBe(200);
  });

  it("303: to the provider, with the attempt in a cookie of its own", async () => {
    const browser = fixture.newBrowser();
    const answer = await browser.get("/login?provider=google");
    expect([answer.status, answer.location.origin]).toEqual([303, fixture.google.issuer.origin]);
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(/^svc_sign_in_[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/);
    await browser.get("/login?provider=google");
    expect(browser.cookies.size).toBe(2);
  });

  it("303: first to the address that providers know, when it was reached by another, but only once", async () => {
    const browser = fixture.newBrowser();
    const elsewhere = await browser.get("/login?provider=google", { host: "auth.example.com" });
    expect(elsewhere.location.href).toBe(`${BASE}/login?provider=google&hop=1`);
    expect(elsewhere.headers["set-cookie"]).toBeUndefined();
    const behindProxy = await browser.get("/login?provider=google&hop=1", { host: "auth-service:8080" });
    expect(behindProxy.location.origin).toBe(fixture.google.issuer.origin);
  });

  it.each(["https://evil.example", `${BASE}.evil/`, `${BASE}@evil/`, "//evil", "/\\evil", "javascript:alert(1)"])(
    "400: a redirect to %s, with and without a provider",
    async (target) => {
      for (const query of [{ redirect_to: target }, { redirect_to: target, provider: "google" }]) {
        const answer = await fixture.newBrowser().get(`/login?${new URLSearchParams(query as {}).toString()}`);
        expect(pageOf(answer)).toEqual([400, "That link leads somewhere else"]);
        expect(answer.text).not.toContain("evil");
        expect(answer.headers["set-cookie"]).toBeUndefined();
      }
    },
  );

  it("400: a query that cannot be read", async () => {
    expect(pageOf(await fixture.newBrowser().get("/login?provider=google&provider=x"))).toEqual([
      400,
      "That link is not complete",
    ]);
  });

  it("404: a provider that is not set up", async () => {
    for (const name of ["microsoft", "facebook", "__proto__"])
      expect(pageOf(await fixture.newBrowser().get(`/login?provider=${name}`))).toEqual([
        404,
        "No such way to sign in",
      ]);
  });

  it("429: an address that has failed too often gets a page, too", async () => {
    const log = recordingLogger().log;
    const app = await createServer({ log, title: "strict", failureLimit: { failures: 3, perSeconds: 60 } });
    await app.register(signInRoutes, { ...fixture, createOrgFor: async () => undefined });
    const browser = fixture.newBrowser(app);
    for (let at = 0; at < 4; at += 1) await browser.get("/auth/google/callback?code=x&state=guess");
    const answer = await browser.get("/login");
    expect(pageOf(answer)).toEqual([429, "Too many attempts"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    await app.close();
  });

  it("503: while the provider does not answer, and on again once it does", async () => {
    const app = await createServer({ log: recordingLogger().log, title: "fresh", failureLimit: false });
    await app.register(signInRoutes, { ...fixture, createOrgFor: async () => undefined });
    fixture.google.faults = { discoveryStatus: 500 };
    const answer = await fixture.newBrowser(app).get("/login?provider=google");
    expect(pageOf(answer)).toEqual([503, "Your provider does not answer"]);
    expect(answer.headers["retry-after"]).toBe("60");
    fixture.google.faults = {};
    expect((await fixture.newBrowser(app).get("/login?provider=google")).status).toBe(303);
    await app.close();
  });
});

describe("GET /auth/:provider/callback", () => {
  it("303: a person without an organization learns what to do", async () => {
    const browser = fixture.newBrowser();
    const answer = await browser.signIn(ADA, `${BASE}/a`);
    expect(problemOf(answer)).toBe("303 /auth/no-organization");
    expect(answer.location.searchParams.get("redirect_to")).toBe(`${BASE}/a`);
    expect([...browser.cookies.keys()]).toEqual(["svc_session"]);
    const cookies = [answer.headers["set-cookie"]].flat().map(String);
    expect(cookies.find((cookie) => cookie.startsWith("svc_session="))).toMatch(
      /^svc_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it("303: on to where the person wanted to go, with no code on our own origin", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    await createOrg(browser);
    expect((await browser.signIn(ADA, `${BASE}/a?b=c#d`)).location.href).toBe(`${BASE}/a?b=c#d`);
    expect((await browser.signIn(ADA)).location.href).toBe(`${BASE}/`);
  });

  it("303: on to another origin with a code that replaces any other", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    await createOrg(browser);
    const { location } = await browser.signIn(ADA, `${CONSOLE}/x?svc_code=forged&y=1#z`);
    expect(location.searchParams.getAll("svc_code")).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    location.searchParams.delete("svc_code");
    expect(location.href).toBe(`${CONSOLE}/x?y=1#z`);
  });

  it("303: two tabs at once both come in, each where it wanted to", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    await createOrg(browser);
    const tabs = [await browser.get(`/login?provider=google&redirect_to=${BASE}/1`)];
    tabs.push(await browser.get(`/login?provider=google&redirect_to=${BASE}/2`));
    const ends = [];
    for (const tab of tabs) {
      const back = new URL(fixture.google.signIn(tab.location.href));
      ends.push((await browser.get(back.pathname + back.search)).location.href);
    }
    expect(ends).toEqual([`${BASE}/1`, `${BASE}/2`]);
  });

  const begin = async () => {
    const browser = fixture.newBrowser();
    const away = await browser.get(`/login?provider=google&redirect_to=${BASE}/a`);
    fixture.google.claims = ADA;
    return { browser, back: new URL(fixture.google.signIn(away.location.href)) };
  };

  it("303: to a page about a lost attempt when the state is missing, forged, another browser's or used", async () => {
    const { browser, back } = await begin();
    const open = (url: URL, by = browser): Promise<Answer> => by.get(url.pathname + url.search);
    const forged = new URL(back);
    forged.searchParams.set("state", "A".repeat(43));
    const missing = new URL(back);
    missing.searchParams.delete("state");
    const sameName = new URL(back);
    sameName.searchParams.set("state", `${back.searchParams.get("state")?.slice(0, 16)}${"A".repeat(27)}`);
    const refusals = [await open(forged), await open(missing), await open(back, fixture.newBrowser())];
    expect(problemOf(await open(back))).toBe("303 /auth/no-organization");
    refusals.push(await open(back), await open(sameName));
    expect(refusals.map(problemOf)).toEqual(Array.from({ length: 5 }, () => "303 /auth/problem/state-lost"));
    for (const { location } of refusals) expect(location.href).not.toMatch(/code=|state=/);
  });

  it("303: to a page about a lost attempt when its cookie is another attempt's, or another provider's", async () => {
    const { browser, back } = await begin();
    const other = await begin();
    const [name = ""] = [...browser.cookies.keys()];
    browser.cookies.set(name, [...other.browser.cookies.values()][0] ?? "");
    expect(problemOf(await browser.get(back.pathname + back.search))).toBe("303 /auth/problem/state-lost");
    const { browser: third, back: thirdBack } = await begin();
    const elsewhere = await third.get(`/auth/microsoft/callback${thirdBack.search}`);
    expect(problemOf(elsewhere)).toBe("303 /auth/problem/state-lost");
  });

  it("303: to a page about the provider when its token does not fit, and keeps where the person wanted to go", async () => {
    for (const faults of [{ nonce: "another" }, { signedByStranger: true }, { iss: "https://evil.example" }]) {
      const { browser, back } = await begin();
      fixture.google.faults = faults;
      const answer = await browser.get(back.pathname + back.search);
      expect(problemOf(answer)).toBe("303 /auth/problem/provider-refused");
      expect(answer.location.searchParams.get("redirect_to")).toBe(`${BASE}/a`);
      expect(browser.cookies.size).toBe(0);
    }
  });

  it("303: to a page that says so when the provider goes away, or the person calls it off", async () => {
    const { browser, back } = await begin();
    fixture.google.faults = { tokenAnswer: { status: 502, body: "bad gateway" } };
    expect(problemOf(await browser.get(back.pathname + back.search))).toBe("303 /auth/problem/provider-unavailable");
    const again = await begin();
    again.back.searchParams.delete("code");
    again.back.searchParams.set("error", "access_denied");
    const called = await again.browser.get(again.back.pathname + again.back.search);
    expect(problemOf(called)).toBe("303 /auth/problem/provider-refused");
  });

  it("303: to a page about the account when the address has another", async () => {
    await fixture.newBrowser().signIn(ADA);
    const answer = await fixture.newBrowser().signIn({ ...ADA, sub: "g-3" });
    expect(problemOf(answer)).toBe("303 /auth/problem/account-exists");
  });

  it("303: to a page about the database while it is away, with the reference of the log", async () => {
    const browser = fixture.newBrowser(fixture.stranded);
    const answer = await browser.signIn(ADA);
    expect(problemOf(answer)).toBe("303 /auth/problem/unavailable");
    expect(answer.location.searchParams.get("reference")).toBe(answer.headers["x-request-id"]);
  });

  it("303: ends the session of whoever was signed in in this browser before", async () => {
    const browser = fixture.newBrowser();
    await browser.signIn(ADA);
    const before = new Map(browser.cookies);
    await browser.signIn(BOB);
    expect(browser.cookies.get("svc_session")).not.toBe(before.get("svc_session"));
    const stale = fixture.newBrowser();
    stale.cookies.set("svc_session", before.get("svc_session") ?? "");
    expect((await stale.get("/api/v1/session")).status).toBe(401);
  });

  it("400: a provider that there is not", async () => {
    expect(pageOf(await fixture.newBrowser().get("/auth/facebook/callback?state=x"))).toEqual([
      400,
      "That link is not complete",
    ]);
  });

  it("writes neither code, state nor secret into the log", async () => {
    const { log, lines } = recordingLogger();
    const app = await createServer({ log, title: "loud", failureLimit: false });
    await app.register(signInRoutes, { ...fixture, createOrgFor: async () => undefined });
    const browser = fixture.newBrowser(app);
    await browser.signIn(ADA);
    fixture.google.faults = { nonce: "another" };
    await browser.signIn(ADA);
    const away = await browser.get("/login?provider=google");
    const back = new URL(fixture.google.signIn(away.location.href));
    await browser.get(back.pathname + back.search);
    const text = JSON.stringify(lines);
    expect(text).toContain("sign-in refused");
    const secrets = [back.searchParams.get("code"), back.searchParams.get("state"), ...browser.cookies.values()];
    for (const secret of [...secrets, fixture.google.clientSecret]) expect(text).not.toContain(secret);
    await app.close();
  });
});

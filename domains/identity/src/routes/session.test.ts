import { problemSchema, sessionSchema, sessionTokenSchema } from "@svc/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Answer,
  BASE,
  type Browser,
  CONSOLE,
  createSignInFixture,
  type SignInFixture,
} from "../testing/sign-in-fixture.ts";

const ADA = { sub: "g-1", email: "ada@acme.example", email_verified: true, hd: "acme.example", name: "Ada" };
const EVIL = "https://evil.example";
let fixture: SignInFixture;
let browser: Browser;

beforeAll(async () => {
  fixture = await createSignInFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  await sql`truncate identity.orgs, identity.users, identity.audit cascade`.execute(fixture.context.db);
  browser = fixture.newBrowser();
  await browser.signIn(ADA);
});

const createOrg = async (name: string): Promise<unknown> =>
  fixture.call("POST", "/api/v1/orgs", tokenOf(await post("token")).token, { name });
const post = (path: string, json?: unknown, headers: Record<string, string> = { origin: BASE }): Promise<Answer> =>
  browser.send("POST", `/api/v1/session/${path}`, { headers, json });
const codeOf = ({ text }: Answer): string => problemSchema.parse(JSON.parse(text)).code;
const tokenOf = (answer: Answer) => sessionTokenSchema.parse(JSON.parse(answer.text));
const validate = async (token: string): Promise<{ valid: boolean }> =>
  (await fixture.call("POST", "/api/v1/tokens/validate", undefined, { token })).body;
const strand = (): Browser => {
  const stranded = fixture.newBrowser(fixture.stranded);
  stranded.cookies.set("svc_session", "A".repeat(43));
  return stranded;
};

describe("GET /api/v1/session", () => {
  it("200: tells who is signed in, in no organization and in several", async () => {
    const read = async () => sessionSchema.parse(JSON.parse((await browser.get("/api/v1/session")).text));
    expect(await read()).toMatchObject({ user: { email: "ada@acme.example", name: "Ada" }, org: null, orgs: [] });
    await createOrg("One");
    await createOrg("Two");
    expect(await read()).toMatchObject({
      org: { slug: "two", role: "owner" },
      orgs: [{ slug: "two" }, { slug: "one", name: "One", role: "owner" }],
    });
  });

  it("200: extends a cookie that is used, after an hour", async () => {
    expect((await browser.get("/api/v1/session")).headers["set-cookie"]).toBeUndefined();
    await sql`update identity.sessions set last_used_at = now() - interval '2 hours'`.execute(fixture.context.db);
    expect(String((await browser.get("/api/v1/session")).headers["set-cookie"])).toContain("Max-Age=2592000");
  });

  it("401: without a session, with one that is none and with one that has ended, and says where to sign in", async () => {
    const stranger = fixture.newBrowser();
    const answers = [await stranger.get("/api/v1/session")];
    for (const cookie of ["nonsense", "A".repeat(43)]) {
      stranger.cookies.set("svc_session", cookie);
      answers.push(await stranger.get("/api/v1/session"));
    }
    await sql`update identity.sessions set expires_at = now()`.execute(fixture.context.db);
    answers.push(await browser.get("/api/v1/session"));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.text).toContain(`${BASE}/login`);
  });

  it("503: while the database is away", async () => {
    expect((await strand().get("/api/v1/session")).status).toBe(503);
  });
});

describe("POST /api/v1/session/token", () => {
  it("200: a token for the organization, also without a body", async () => {
    await createOrg("One");
    for (const json of [undefined, {}]) {
      const { token, expires_at, org } = tokenOf(await post("token", json));
      expect(org).toMatchObject({ slug: "one" });
      const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
      expect([minutes > 14, minutes <= 15]).toEqual([true, true]);
      expect(await validate(token)).toMatchObject({ valid: true, kind: "user", role: "owner", org: { slug: "one" } });
    }
  });

  it("200: a token for another organization, by slug and by id; the one before stays good", async () => {
    await createOrg("One");
    const first = tokenOf(await post("token"));
    await createOrg("Two");
    expect(tokenOf(await post("token", { org: "one" })).org?.id).toBe(first.org?.id);
    expect(tokenOf(await post("token", { org: first.org?.id })).org?.slug).toBe("one");
    expect(await validate(first.token)).toMatchObject({ valid: true });
  });

  it("200: a token without an organization for who has none, good for making one", async () => {
    const { token, org } = tokenOf(await post("token"));
    expect(org).toBeNull();
    expect(await validate(token)).toMatchObject({ valid: false });
    expect((await fixture.call("POST", "/api/v1/orgs", token, { name: "Mine" })).status).toBe(201);
  });

  it("400: a field too many, or an organization that is no text", async () => {
    expect((await post("token", { organization: "one" })).status).toBe(400);
    expect((await post("token", { org: "" })).status).toBe(400);
  });

  it("401: without a session", async () => {
    browser = fixture.newBrowser();
    expect((await post("token")).status).toBe(401);
  });

  it.each([
    ["another site", { origin: EVIL }],
    ["a longer name", { origin: `${BASE}.evil` }],
    ["nowhere", { origin: "null" }],
    ["a browser that does not say", {}],
    ["a browser that says cross-site", { "sec-fetch-site": "cross-site" }],
    ["a browser that says same-site", { "sec-fetch-site": "same-site" }],
  ])("403: from %s", async (_where, headers) => {
    const answer = await post("token", {}, headers);
    expect([answer.status, codeOf(answer)]).toEqual([403, "FORBIDDEN"]);
  });

  it("404: an organization one is not in, whether it exists or not", async () => {
    const other = await fixture.createTestOrg("Other");
    const answers = await Promise.all([other.slug, other.id, "nowhere"].map((org) => post("token", { org })));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it("413 and 415: too much, or not JSON", async () => {
    expect((await post("token", { org: "x".repeat(300_000) })).status).toBe(413);
    expect((await browser.post("/api/v1/session/token", { org: "one" })).status).toBe(415);
  });

  it("503: while the database is away", async () => {
    browser = strand();
    expect((await post("token")).status).toBe(503);
  });
});

describe("POST /api/v1/session/exchange", () => {
  const newCode = async (): Promise<string> => {
    await createOrg("One");
    const { location } = await browser.signIn(ADA, `${CONSOLE}/x`);
    return location.searchParams.get("svc_code") ?? "";
  };
  const exchange = (code: string, headers: Record<string, string> = { origin: CONSOLE }): Promise<Answer> =>
    fixture.newBrowser().send("POST", "/api/v1/session/exchange", { headers, json: { code } });

  it("200: the code of a redirect for a token, from the app it was made for or from its server", async () => {
    const { token, org } = tokenOf(await exchange(await newCode()));
    expect(org?.slug).toBe("one");
    expect(await validate(token)).toMatchObject({ valid: true });
    expect((await exchange(await newCode(), {})).status).toBe(200);
  });

  it("400: no code, or one that is too long", async () => {
    expect((await exchange("")).status).toBe(400);
    expect((await exchange("x".repeat(101))).status).toBe(400);
  });

  it("401: a second time, and then the session is over", async () => {
    const code = await newCode();
    const { token } = tokenOf(await exchange(code));
    expect((await exchange(code)).status).toBe(401);
    expect(await validate(token)).toMatchObject({ valid: false });
    expect((await browser.get("/api/v1/session")).status).toBe(401);
  });

  it("401: a code that was made up, in the same words", async () => {
    const code = await newCode();
    await exchange(code);
    const texts = [await exchange("A".repeat(43)), await exchange(code)].map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
  });

  it("403: from another origin than the one it was made for", async () => {
    const code = await newCode();
    expect((await exchange(code, { origin: EVIL })).status).toBe(403);
    expect((await exchange(code, { origin: BASE })).status).toBe(403);
  });

  it("503: while the database is away", async () => {
    browser = strand();
    expect((await post("exchange", { code: "x" })).status).toBe(503);
  });
});

describe("POST /api/v1/session/end-everywhere", () => {
  it("204: every browser is signed out and every user token ends, by the cookie", async () => {
    await createOrg("One");
    const { token } = tokenOf(await post("token"));
    const other = fixture.newBrowser();
    await other.signIn(ADA);
    const answer = await post("end-everywhere");
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(browser.cookies.has("svc_session")).toBe(false);
    expect((await other.get("/api/v1/session")).status).toBe(401);
    expect(await validate(token)).toMatchObject({ valid: false });
  });

  it("204: the same by a user token, from anywhere", async () => {
    const { token } = tokenOf(await post("token"));
    const app = fixture.newBrowser();
    const headers = { authorization: `Bearer ${token}`, origin: EVIL };
    const answer = await app.send("POST", "/api/v1/session/end-everywhere", { headers });
    expect(answer.status).toBe(204);
    expect((await browser.get("/api/v1/session")).status).toBe(401);
  });

  it("401: without a session, or with a token that is none or is over", async () => {
    const { token } = tokenOf(await post("token"));
    await post("end-everywhere");
    expect((await post("end-everywhere")).status).toBe(401);
    for (const bearer of [token, "nonsense", ""])
      expect((await post("end-everywhere", undefined, { authorization: `Bearer ${bearer}` })).status).toBe(401);
  });

  it("401: an API token does not do", async () => {
    const { members } = await fixture.createTestOrg("Other");
    const headers = { authorization: `Bearer ${members.owner.token}` };
    expect((await post("end-everywhere", undefined, headers)).status).toBe(401);
  });

  it("403: from another site", async () => {
    expect((await post("end-everywhere", undefined, { origin: EVIL })).status).toBe(403);
    expect((await browser.get("/api/v1/session")).status).toBe(200);
  });

  it("503: while the database is away", async () => {
    browser = strand();
    expect((await post("end-everywhere")).status).toBe(503);
  });
});

describe("an app on another origin", () => {
  it.each([BASE, CONSOLE])("may read the answers when it is %s, refusals too", async (origin) => {
    for (const by of [browser, fixture.newBrowser()]) {
      const { headers } = await by.get("/api/v1/session", { origin });
      expect(headers).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-allow-credentials": "true",
        vary: "Origin",
      });
    }
  });

  it.each([EVIL, `${CONSOLE}.evil`, "http://console.example.com", "null"])("may not when it is %s", async (origin) => {
    const answers = [
      await browser.get("/api/v1/session", { origin }),
      await browser.send("OPTIONS", "/api/v1/session/token", { headers: { origin } }),
    ];
    for (const { headers } of answers) {
      expect(headers["access-control-allow-origin"]).toBeUndefined();
      expect(headers["vary"]).toBe("Origin");
    }
  });

  it("may ask whether it may", async () => {
    for (const path of ["", "/token", "/exchange", "/end-everywhere"]) {
      const { status, headers } = await browser.send("OPTIONS", `/api/v1/session${path}`, {
        headers: { origin: CONSOLE, "access-control-request-method": "POST" },
      });
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        "access-control-allow-origin": CONSOLE,
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "authorization, content-type",
      });
    }
  });

  it("may read nothing else that is here", async () => {
    for (const path of ["/login", "/api/v1/orgs/x", "/auth/signed-out"])
      expect((await browser.get(path, { origin: CONSOLE })).headers["access-control-allow-origin"]).toBeUndefined();
  });
});

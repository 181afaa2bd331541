import { createApiClient } from "@svc/http-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  CONSUMER_TENANT,
  heading,
  newDomain,
  type SignInStack,
  startSignInStack,
  TENANT,
  type Visitor,
} from "./sign-in-stack.ts";

let world: SignInStack;

beforeAll(async () => {
  world = await startSignInStack();
});
afterAll(() => world?.stop());

async function asOperator(org: object): Promise<any> {
  const response = await fetch(`${world.base}/api/v1/admin/orgs`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.stack.secrets.OPERATOR_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(org),
  });
  expect(response.status).toBe(201);
  return response.json();
}

const session = async ({ fetchJson }: Visitor): Promise<any> => (await fetchJson("/api/v1/session")).body;
const token = async ({ fetchJson }: Visitor, org?: string): Promise<string> =>
  (await fetchJson("/api/v1/session/token", { method: "POST", body: JSON.stringify({ ...(org && { org }) }) })).body
    .token;

describe("a first sign-in", () => {
  it("with an address of an organization's domain joins it as a member", async () => {
    const domain = newDomain();
    await asOperator({ name: "Acme", domains: [domain] });
    const visitor = await world.newVisitor();
    await visitor.signIn("Google", world.googler(`ada@${domain}`));
    expect(visitor.page.url()).toBe(`${world.base}/api/v1/session`);
    expect(await session(visitor)).toMatchObject({
      user: { email: `ada@${domain}`, name: "Ada" },
      org: { name: "Acme", role: "member" },
    });
    const { whoAmI } = createApiClient({ baseUrl: world.base, token: () => token(visitor) });
    expect(await whoAmI()).toMatchObject({ kind: "user", role: "member", org: { name: "Acme" } });
  });

  it("without a match ends on a page that says what to do, where an organization can be made", async () => {
    const visitor = await world.newVisitor();
    const email = world.googler(`ada@${newDomain()}`);
    await visitor.signIn("Google", email);
    expect(await heading(visitor)).toBe("You are not in an organization yet");
    expect(await visitor.page.locator("main").innerText()).toContain(`an invitation to ${email}`);
    await visitor.page.getByLabel("Name of the organization").fill("Ada & Co");
    await visitor.page.getByRole("button", { name: "Create organization" }).click();
    await visitor.page.waitForURL(`${world.base}/api/v1/session`);
    expect(await session(visitor)).toMatchObject({ org: { name: "Ada & Co", slug: "ada-co", role: "owner" } });
  });

  it("of whom the operator has named is that person, and whom they invite joins with the role given", async () => {
    const domain = newDomain();
    const { org, owner } = await asOperator({ name: "Named", admin_email: `owner@${domain}` });
    const visitor = await world.newVisitor();
    await visitor.signIn("Google", world.googler(`owner@${domain}`));
    expect(await session(visitor)).toMatchObject({ user: { id: owner.user_id }, org: { id: org.id, role: "owner" } });

    const invited = await visitor.fetchJson(`/api/v1/orgs/${org.id}/invitations`, {
      method: "POST",
      headers: { authorization: `Bearer ${await token(visitor)}` },
      body: JSON.stringify({ email: `guest@${domain}`, role: "developer" }),
    });
    expect(invited.status).toBe(201);
    const guest = await world.newVisitor();
    await guest.signIn("Google", world.googler(`guest@${domain}`));
    expect(await session(guest)).toMatchObject({ org: { id: org.id, role: "developer" } });
  });

  it("with Microsoft works alike where Microsoft vouches for the address", async () => {
    const domain = newDomain();
    await asOperator({ name: "Proven", domains: [domain] });
    const visitor = await world.newVisitor();
    await visitor.signIn("Microsoft", world.microsoftie(`ada@${domain}`, { xms_edov: true, name: "Ada" }));
    expect(await session(visitor)).toMatchObject({ org: { name: "Proven", role: "member" } });
  });

  it.each([
    ["Google has not verified", "Google", { email_verified: false }],
    ["Google has verified for another Workspace", "Google", { hd: "other.example" }],
    ["Microsoft has not verified", "Microsoft", {}],
    ["Microsoft says it has not verified", "Microsoft", { xms_edov: false, email_verified: true }],
  ] as const)(
    "with an address that %s joins nothing, neither by its domain nor as whom the operator named",
    async (_what, at, claims) => {
      const domain = newDomain();
      const email = `ada@${domain}`;
      await asOperator({ name: "Closed", domains: [domain], admin_email: email });
      const visitor = await world.newVisitor();
      await visitor.signIn(at, at === "Google" ? world.googler(email, claims) : world.microsoftie(email, claims));
      expect(await heading(visitor)).toBe("You are not in an organization yet");
      expect(await visitor.page.locator("main").innerText()).toContain(`does not prove that ${email} is yours`);
      expect(await session(visitor)).toMatchObject({ org: null, orgs: [] });
    },
  );
});

describe("another sign-in", () => {
  it("is the same person, and an address alone never makes anybody somebody else", async () => {
    const domain = newDomain();
    const email = world.googler(`ada@${domain}`);
    const first = await world.newVisitor();
    await first.signIn("Google", email);
    const { user } = await session(first);

    const again = await world.newVisitor();
    world.googler(email, { name: "Ada Lovelace" });
    await again.signIn("Google", email);
    expect(await session(again)).toMatchObject({ user: { id: user.id, name: "Ada Lovelace" } });

    const proven = await world.newVisitor();
    await proven.signIn("Microsoft", world.microsoftie(email, { xms_edov: true }));
    expect(await heading(proven)).toBe("You already have an account");
    expect(await proven.page.locator("main").innerText()).toContain("sign in the way you did before");

    const forged = await world.newVisitor();
    await forged.signIn("Microsoft", world.microsoftie(email, { oid: "o-forger" }));
    expect((await session(forged)).user.id).not.toBe(user.id);
  });
});

describe("Microsoft's tenants", () => {
  afterAll(() => world.restart());

  it.each([
    ["organizations refuses personal accounts", "organizations", CONSUMER_TENANT],
    ["consumers refuses those of organizations", "consumers", TENANT],
    ["a pinned tenant refuses another", TENANT, "99999999-2222-3333-4444-555555555555"],
  ])("%s", async (_what, MICROSOFT_TENANT_ID, tid) => {
    await world.restart({ MICROSOFT_TENANT_ID });
    const visitor = await world.newVisitor();
    await visitor.signIn("Microsoft", world.microsoftie(`ada@${newDomain()}`, { tid, xms_edov: true }));
    expect(await heading(visitor)).toBe("This account is not allowed here");
    expect((await visitor.fetchJson("/api/v1/session")).status).toBe(401);
  });

  // Goes on with the settings of the last one.
  it("the pinned tenant lets its own in and vouches for them", async () => {
    const domain = newDomain();
    await asOperator({ name: "Pinned", domains: [domain] });
    const visitor = await world.newVisitor();
    await visitor.signIn("Microsoft", world.microsoftie(`ada@${domain}`, {}));
    expect(await session(visitor)).toMatchObject({ org: { name: "Pinned", role: "member" } });
  });
});

describe("a redirect after signing in", () => {
  let stranger: Visitor;
  beforeAll(async () => {
    stranger = await world.newVisitor();
  });

  it.each([
    "https://app.example.com",
    "{base}.evil/",
    "{base}@evil/",
    "http://evil@{host}/",
    "//evil",
    "//{host}",
    "/\\evil",
    "\\\\evil",
    "%2f%2fevil",
    "/%2fevil",
    "https:evil",
    "http:/{host}",
    "http:{host}",
    "javascript:alert(1)",
    "data:text/html,evil",
    " {base}",
    "{base}\\@evil",
    "{base}%2f@evil/",
    "http://localhost:1/",
  ])("to %s is refused, before anybody signs in", async (pattern) => {
    const target = pattern.replace("{base}", world.base).replace("{host}", new URL(world.base).host);
    stranger.visited.length = 0;
    for (const more of ["", "&provider=google"]) {
      await stranger.page.goto(`${world.base}/login?redirect_to=${encodeURIComponent(target)}${more}`);
      expect(await heading(stranger)).toBe("That link leads somewhere else");
    }
    expect(stranger.visited).toHaveLength(2);
    expect(stranger.visited.every((url) => url.startsWith(`${world.base}/`))).toBe(true);
  });

  it("to another app brings a code that the app exchanges once, and only the app", async () => {
    const domain = newDomain();
    await asOperator({ name: "Apps", domains: [domain] });
    const visitor = await world.newVisitor();
    await visitor.signIn("Google", world.googler(`ada@${domain}`), `${world.app}/start?tab=1`);
    const url = new URL(visitor.page.url());
    expect([url.origin, url.searchParams.get("tab")]).toEqual([world.app, "1"]);
    const exchange = (): Promise<{ status: number; body: any }> =>
      visitor.page.evaluate(`(async () => {
        const response = await fetch("${world.base}/api/v1/session/exchange", {
          method: "POST",
          credentials: "include",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ code: new URL(location.href).searchParams.get("svc_code") }),
        });
        return { status: response.status, body: await response.json() };
      })()`);
    const { status, body } = await exchange();
    expect([status, body.org.name]).toEqual([200, "Apps"]);
    const { whoAmI } = createApiClient({ baseUrl: world.base, token: () => body.token });
    expect(await whoAmI()).toMatchObject({ kind: "user", user: { email: `ada@${domain}` } });

    expect((await exchange()).status).toBe(401);
    await expect(whoAmI()).rejects.toThrow("Invalid or expired");
    expect((await visitor.fetchJson("/api/v1/session")).status).toBe(401);
  });
});

describe("signing out", () => {
  async function signedInMember(): Promise<Visitor> {
    const domain = newDomain();
    await asOperator({ name: "Leaving", domains: [domain] });
    const visitor = await world.newVisitor();
    await visitor.signIn("Google", world.googler(`ada@${domain}`));
    return visitor;
  }

  it("everywhere ends a user token at once, at the gateway too", async () => {
    const visitor = await signedInMember();
    const jwt = await token(visitor);
    const { whoAmI } = createApiClient({ baseUrl: world.base, token: () => jwt });
    expect(await whoAmI()).toMatchObject({ role: "member" });
    const ended = await visitor.fetchJson("/api/v1/session/end-everywhere", { method: "POST" });
    expect(ended.status).toBe(204);
    await expect(whoAmI()).rejects.toThrow("Invalid or expired");
  });

  it("here ends the session and shows a page that says so", async () => {
    const visitor = await world.newVisitor();
    await visitor.signIn("Google", world.googler(`ada@${newDomain()}`));
    const cookies = await visitor.context.cookies();
    await visitor.page.getByRole("button", { name: "Use another account" }).click();
    expect(await heading(visitor)).toBe("You are signed out");
    expect((await visitor.context.cookies()).filter(({ name }) => name === "svc_session")).toEqual([]);
    await visitor.context.addCookies(cookies);
    expect((await visitor.fetchJson("/api/v1/session")).status).toBe(401);
  });

  it("happens to all when JWT_SECRET or JWT_SIGNING_KEY is changed", async () => {
    const visitor = await signedInMember();
    const jwt = await token(visitor);
    for (const name of ["JWT_SECRET", "JWT_SIGNING_KEY"]) {
      await world.restart({ [name]: "5".repeat(64) });
      expect([name, (await visitor.fetchJson("/api/v1/session")).status]).toEqual([name, 401]);
      const validation = await visitor.fetchJson("/api/v1/tokens/validate", {
        method: "POST",
        body: JSON.stringify({ token: jwt }),
      });
      expect([name, validation.body]).toEqual([name, expect.objectContaining({ valid: false })]);
    }
    // Nothing else had ended it.
    await world.restart();
    expect((await visitor.fetchJson("/api/v1/session")).status).toBe(200);
  });
});

describe("what a browser keeps", () => {
  it("has no secret in it: every code in an address was spent, and using it again is refused", async () => {
    const domain = newDomain();
    await asOperator({ name: "Kept", domains: [domain] });
    const visitor = await world.newVisitor();
    await visitor.signIn("Google", world.googler(`ada@${domain}`), `${world.app}/start`);
    const cookie = (await visitor.context.cookies(world.base)).find(({ name }) => name === "svc_session");
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
    const code = new URL(visitor.page.url()).searchParams.get("svc_code") ?? "";
    const exchange = () =>
      fetch(`${world.base}/api/v1/session/exchange`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      });
    const { token: jwt } = (await (await exchange()).json()) as { token: string };

    const urls = visitor.visited.map((text) => new URL(text));
    const names = new Set(urls.flatMap((url) => [...url.searchParams.keys()]));
    const known = ["redirect_to", "provider", "hop", "redirect_uri", "scope", "state", "nonce", "prompt", "client_id"];
    const spent = ["code", "svc_code"];
    const harmless = ["code_challenge", "code_challenge_method", "response_type", "iss"];
    expect([...names].filter((name) => ![...known, ...spent, ...harmless].includes(name))).toEqual([]);
    for (const secret of [cookie?.value ?? "no cookie", jwt]) expect(urls.join(" ")).not.toContain(secret);

    expect((await exchange()).status).toBe(401);
    const callback = visitor.visited.find((url) => url.includes("/callback?")) ?? "";
    await visitor.page.goto(callback);
    expect(await heading(visitor)).toBe("This sign-in has expired");
    for (const lines of Object.values(world.stack.lines)) {
      const log = lines.join("\n");
      for (const secret of [code, new URL(callback).searchParams.get("code") ?? "no code", cookie?.value, jwt])
        expect(log).not.toContain(secret);
    }
  });
});

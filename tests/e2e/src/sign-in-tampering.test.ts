import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { heading, newDomain, type SignInStack, startSignInStack, type Visitor } from "./sign-in-stack.ts";

let world: SignInStack;

beforeAll(async () => {
  world = await startSignInStack();
});
afterAll(() => world?.stop());

describe("an attempt that was tampered with is refused:", () => {
  type Tamper = (url: URL) => void;
  interface Begun extends Visitor {
    email: string;
  }

  /** As far as the provider's page; `tamper` changes the address on the way there. */
  async function begin(tamper: Tamper = () => undefined): Promise<Begun> {
    const visitor = await world.newVisitor();
    const email = world.googler(`ada@${newDomain()}`);
    const asked = new URL(await locationOf(visitor, `${world.base}/login?provider=google&hop=1`));
    tamper(asked);
    await visitor.page.goto(asked.href);
    return { ...visitor, email };
  }

  /** Chooses the account and comes back; `tamper` changes the address on the way back. */
  async function comeBack(visitor: Begun, tamper: Tamper = () => undefined): Promise<string> {
    const form = { person: `g-${visitor.email}` };
    let back = await locationOf(visitor, visitor.page.url(), form);
    while (!back.startsWith(world.base)) back = await locationOf(visitor, back);
    const changed = new URL(back);
    tamper(changed);
    await visitor.page.goto(changed.href);
    return changed.href;
  }

  /** Where a redirect leads, without following it. The cookies are the browser's. */
  async function locationOf({ context }: Visitor, url: string, form?: Record<string, string>): Promise<string> {
    const method = form ? "POST" : "GET";
    const response = await context.request.fetch(url, { method, maxRedirects: 0, ...(form && { form }) });
    return new URL(response.headers()["location"] ?? "", url).href;
  }

  const signedIn = async (visitor: Visitor): Promise<boolean> =>
    (await visitor.fetchJson("/api/v1/session")).status === 200;

  it.each([
    ["a forged state", (url: URL) => url.searchParams.set("state", "A".repeat(43)), "This sign-in has expired"],
    ["a missing state", (url: URL) => url.searchParams.delete("state"), "This sign-in has expired"],
    ["a forged code", (url: URL) => url.searchParams.set("code", "forged"), "You were not signed in"],
    ["a forged issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example"), "You were not signed in"],
  ])("%s on the way back", async (_what, change, title) => {
    const visitor = await begin();
    await comeBack(visitor, change);
    expect([await heading(visitor), await signedIn(visitor)]).toEqual([title, false]);
  });

  it.each([
    ["another nonce", (url: URL) => url.searchParams.set("nonce", "another")],
    ["another PKCE challenge", (url: URL) => url.searchParams.set("code_challenge", "A".repeat(43))],
  ])("%s on the way there", async (_what, change) => {
    const visitor = await begin(change);
    await comeBack(visitor);
    expect([await heading(visitor), await signedIn(visitor)]).toEqual(["You were not signed in", false]);
  });

  it.each([
    ["no PKCE challenge", (url: URL) => url.searchParams.delete("code_challenge")],
    ["a plain PKCE challenge", (url: URL) => url.searchParams.set("code_challenge_method", "plain")],
  ])("%s on the way there, by the provider itself", async (_what, change) => {
    const visitor = await begin(change);
    expect(visitor.page.url()).toMatch(`${world.base}/auth/problem/`);
    expect([await heading(visitor), await signedIn(visitor)]).toEqual(["You were not signed in", false]);
  });

  it("the cookie of another attempt, and with it another PKCE verifier", async () => {
    const [mine, other] = [await begin(), await begin()];
    const attempt = async ({ context }: Visitor) =>
      (await context.cookies(`${world.base}/auth/google/callback`)).find(({ name }) => name.startsWith("svc_sign_in_"));
    const [kept, taken] = [await attempt(mine), await attempt(other)];
    if (!kept || !taken) throw new Error("no cookie of an attempt");
    expect(kept).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/auth" });
    await mine.context.addCookies([{ ...kept, value: taken.value }]);
    await comeBack(mine);
    expect([await heading(mine), await signedIn(mine)]).toEqual(["This sign-in has expired", false]);
  });

  it("no cookie at all, and an answer that is opened a second time or in another browser", async () => {
    const visitor = await begin();
    const callback = await comeBack(visitor);
    expect(await signedIn(visitor)).toBe(true);
    for (const browser of [visitor, await world.newVisitor()]) {
      await browser.page.goto(callback);
      expect(await heading(browser)).toBe("This sign-in has expired");
    }
    const bare = await begin();
    await bare.context.clearCookies({ name: /^svc_sign_in_/ });
    await comeBack(bare);
    expect([await heading(bare), await signedIn(bare)]).toEqual(["This sign-in has expired", false]);
  });

  it("an address to come back to that the provider does not know, by the provider itself", async () => {
    const visitor = await begin((url) => url.searchParams.set("redirect_uri", "https://evil.example/"));
    expect(visitor.page.url().startsWith(world.issuers.Google)).toBe(true);
    expect(await visitor.page.innerText("body")).toContain("redirect_uri");
  });

  it("a wrong client secret, by the provider itself", async () => {
    await world.restart({ GOOGLE_CLIENT_SECRET: "wrong" });
    const visitor = await begin();
    await comeBack(visitor);
    expect([await heading(visitor), await signedIn(visitor)]).toEqual(["You were not signed in", false]);
    await world.restart();
  });

  it("one that the person calls off", async () => {
    const visitor = await begin();
    await visitor.page.getByRole("button", { name: "Cancel" }).click();
    await visitor.page.waitForURL(`${world.base}/auth/problem/**`);
    expect(await heading(visitor)).toBe("You were not signed in");
    await visitor.page.getByRole("link", { name: "Try again" }).click();
    expect(await heading(visitor)).toBe("Sign in to svc");
  });
});

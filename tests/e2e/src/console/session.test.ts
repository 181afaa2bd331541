import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";

let world: ConsoleStack;
let team: Team;

beforeAll(async () => {
  world = await startConsoleStack();
  team = await world.newTeam();
}, START_MS);
afterAll(() => world?.stop());

describe("signing in", () => {
  it("leads back to the very page that was asked for, with its filters", async () => {
    const { page, context } = await world.newVisitor();
    const address = `${world.base}/o/${team.slug}/activity?type=data_sources&source=mcp`;
    const owner = world.googler(team.emailOf("owner"));
    await page.goto(address);
    await page.getByRole("link", { name: "Continue with Google" }).click();
    await page.getByRole("button", { name: owner, exact: true }).click();
    await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
    expect(page.url()).toBe(address);
    await context.close();
  });

  it("leads from the plain address to the organization that was worked in last", async () => {
    const { page, context } = await team.visit("owner", "/members");
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    await page.goto(`${world.base}/`);
    await expect.poll(() => page.url()).toBe(`${world.base}/o/${team.slug}/data-sources`);
    await context.close();
  });

  it("shows nothing of an organization to who is not in it, whether it exists or not", async () => {
    const other = await world.newTeam();
    const { page, context } = await team.visit("owner");
    const seen = [];
    for (const slug of [other.slug, "no-such-organization"]) {
      await page.goto(`${world.base}/o/${slug}/members`);
      const text = await page.getByRole("main").innerText();
      seen.push(text.replaceAll(slug, "…"));
    }
    expect(seen[0]).toContain("You are not in an organization called …");
    expect(seen[0]).toBe(seen[1]);
    await context.close();
  });
});

describe("when the session ends meanwhile", () => {
  it("keeps what was typed, and goes on with it after signing in again in another window", async () => {
    const visitor = await team.visit("owner", "/api-tokens");
    const { page, context } = visitor;
    await page.getByRole("button", { name: "Create token" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("nightly report");
    await endSessionElsewhere(visitor);
    await page.getByRole("dialog", { name: "Create token" }).getByRole("button", { name: "Create token" }).click();

    const ended = page.getByRole("dialog", { name: "You were signed out" });
    await ended.waitFor();
    const opened = context.waitForEvent("page");
    await ended.getByRole("button", { name: "Sign in again" }).click();
    const popup = await opened;
    await popup.getByRole("link", { name: "Continue with Google" }).click();
    await popup.getByRole("button", { name: team.emailOf("owner"), exact: true }).click();

    await page.getByRole("dialog", { name: "nightly report is ready" }).waitFor();
    expect((await team.api.listApiTokens({ scope: "org" })).items.map(({ name }) => name)).toContain("nightly report");
    await context.close();
  });

  it("signs out by the menu, and the session is over for the service too", async () => {
    const { page, context, fetchJson } = await team.visit("owner");
    await page.getByRole("button", { name: /profile, theme, sign out/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${world.base}/auth/signed-out`);
    expect((await fetchJson("/api/v1/session")).status).toBe(401);
    await context.close();
  });
});

describe("what a page of the console gives away", () => {
  let visitor: ConsoleVisitor;
  beforeAll(async () => {
    visitor = await team.visit("owner");
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
  });

  it("has a policy without inline script, inline style or eval, and allows no other origin", async () => {
    const policy = [...visitor.policies].find(([url]) => url.includes("/o/"))?.[1] ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it("says in words that there is nothing at an address, and to programs in theirs", async () => {
    const get = async (path: string, accept: string): Promise<unknown> => {
      const { status, headers } = await fetch(`${world.base}${path}`, { headers: { accept } });
      return { status, type: headers.get("content-type"), policy: headers.get("content-security-policy") };
    };
    const problem = { status: 404, type: "application/problem+json; charset=utf-8" };
    expect(await get("/nowhere/at/all", "text/html,*/*;q=0.8")).toEqual({
      status: 404,
      type: "text/html; charset=utf-8",
      policy: expect.stringContaining("script-src 'self'"),
    });
    expect(await get("/nowhere", "*/*")).toMatchObject(problem);
    expect(await get("/api/nowhere", "text/html")).toMatchObject(problem);
    expect(await get("/assets/nowhere.js", "*/*")).toMatchObject(problem);
  });

  it("keeps the session and its tokens where no script can read them", async () => {
    const { page, context } = visitor;
    const session = (await context.cookies()).find(({ name }) => name === "svc_session");
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    const readable = await page.evaluate<string>(
      "JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, Object.keys(window)])",
    );
    expect(readable).not.toContain(session?.value);
    expect(readable).not.toMatch(/eyJ|svc_[A-Za-z0-9]{20}/);
  });

  it("asks nobody but the service", () => {
    expect(visitor.complaints).toEqual([]);
  });

  it("refuses what a page of another site makes the browser send", async () => {
    const attacker = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(
        `<!doctype html><title>other</title><form method="post" action="${world.base}/logout"><button>go</button></form>`,
      );
    }).listen(0, "127.0.0.1");
    await once(attacker, "listening");
    const { page, context, fetchJson } = await team.visit("owner");
    await page.goto(`http://localhost:${(attacker.address() as AddressInfo).port}/`);
    const tried = await page.evaluate<unknown[]>(`Promise.all([
      fetch("${world.base}/api/v1/session/token", { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: "{}" }),
      fetch("${world.base}/api/v1/session/end-everywhere", { method: "POST", credentials: "include" }),
      fetch("${world.base}/api/v1/session", { credentials: "include" }),
      fetch("${world.base}/api/wf/data-sources", { credentials: "include" }),
    ].map((sent) => sent.then((answer) => answer.status, () => "not shown")))`);
    expect(tried).toEqual(["not shown", "not shown", "not shown", "not shown"]);
    await page.getByRole("button", { name: "go" }).click();
    await page.waitForURL(/problem|logout/);
    // Still signed in: nothing of it took effect.
    expect((await fetchJson("/api/v1/session")).status).toBe(200);
    await context.close();
    attacker.closeAllConnections();
    attacker.close();
  });
});

async function endSessionElsewhere({ fetchJson, context }: ConsoleVisitor): Promise<void> {
  const before = await context.cookies();
  expect((await fetchJson("/api/v1/session/end-everywhere", { method: "POST" })).status).toBe(204);
  // The answer clears the cookie, as it would in the other window; here the page is to find out by itself.
  await context.addCookies(before);
}

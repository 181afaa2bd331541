import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";
import { stepsOn } from "./console-steps.ts";

let world: ConsoleStack;
let team: Team;
let owner: ConsoleVisitor;
let page: Page;
const { press, confirm, choose } = stepsOn(() => page);

beforeAll(async () => {
  world = await startConsoleStack();
  team = await world.newTeam();
  owner = await team.visit("owner");
  page = owner.page;
}, START_MS);
afterAll(() => world?.stop());

async function menuOf(email: string, item: string): Promise<void> {
  await press(`Actions for ${email}`);
  await page.getByRole("menuitem", { name: item }).click();
}
const statusOfMe = async (token: string): Promise<number> =>
  (await fetch(`${world.base}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;

describe("members", () => {
  it("are invited, come in by signing in, get another role, and are removed with all that they had", async () => {
    const email = "guest@team-1.example";
    await owner.open("/members");
    await press("Invite a person");
    await page.getByRole("textbox", { name: "E-mail" }).fill(email);
    await choose("Role", "Viewer");
    await confirm("Invite");
    await page.getByRole("table", { name: "Open invitations" }).getByText(email).waitFor();

    const guest = await world.newVisitor();
    await guest.signIn("Google", world.googler(email), `${world.base}/o/${team.slug}/data-sources`);
    const create = guest.page.getByRole("button", { name: "Create a database" });
    await expect.poll(() => create.getAttribute("aria-disabled")).toBe("true");

    await owner.open("/members");
    await menuOf(email, "Change role");
    await choose("Role", "Developer");
    await confirm("Change role");
    await guest.page.reload();
    await create.waitFor();
    expect(await create.getAttribute("aria-disabled")).not.toBe("true");

    const minted = await guest.fetchJson("/api/v1/session/token", {
      method: "POST",
      body: JSON.stringify({ org: team.slug }),
    });
    expect(await statusOfMe(minted.body.token)).toBe(200);
    await menuOf(email, "Remove from the organization");
    await confirm("Remove");
    await expect.poll(() => statusOfMe(minted.body.token)).toBe(401);
    await guest.page.reload();
    await guest.page.getByText("You are not in an organization called team-1").waitFor();
    await guest.context.close();
  });

  it("are not let in by an invitation that was taken back", async () => {
    await owner.open("/members");
    const invited = page.getByRole("table", { name: "Open invitations" }).getByText(team.emailOf("viewer"));
    await invited.waitFor();
    await press(`Take back the invitation of ${team.emailOf("viewer")}`);
    await confirm("Take back");
    await invited.waitFor({ state: "detached" });
    const { items } = await team.api.listInvitations(team.slug);
    expect(items.map(({ email }) => email)).not.toContain(team.emailOf("viewer"));
  });
});

describe("API tokens", () => {
  it("work from the moment they are shown until they are revoked", async () => {
    await owner.open("/api-tokens");
    await press("Create token");
    await page.getByRole("textbox", { name: "Name" }).fill("weekly");
    await choose("Ends after", "30 days");
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await page.getByRole("dialog", { name: "weekly is ready" }).waitFor();
    await press("Reveal API token");
    const token = await page.getByRole("dialog").locator("code").innerText();
    expect(token).toMatch(/^svc_/);
    // Who goes on without having copied it is asked once more.
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await confirm("Go on without it");
    expect(await statusOfMe(token)).toBe(200);
    // Shown once: nothing on the page has it any more.
    expect(await page.content()).not.toContain(token);
    await press("Revoke weekly");
    await confirm("Revoke");
    await expect.poll(() => statusOfMe(token)).toBe(401);
  });
});

describe("the audit trail", () => {
  it("names all of this, newest first, and by action", async () => {
    await owner.open("/audit");
    const entries = page.getByRole("table", { name: "Audit entries" });
    await entries.getByText("revoked the API token weekly").waitFor();
    for (const words of [
      "created the API token weekly",
      "removed guest@",
      "changed the role of guest@",
      "invited guest@",
    ])
      await entries.getByText(words).first().waitFor();
    await owner.open("/audit?action=member.removed");
    await expect.poll(() => entries.locator("[data-row-target]").count()).toBe(1);
    await entries.locator("[data-row-target]").first().click();
    await page.getByRole("dialog", { name: "member.removed" }).getByText("guest@team-1.example").first().waitFor();
  });
});

describe("the profile", () => {
  it("makes another organization, and leads to its first source", async () => {
    await owner.open("/profile");
    await press("Create organization");
    await page.getByRole("textbox", { name: "Name" }).fill("Second Team");
    await confirm("Create organization");
    await page.getByRole("heading", { level: 1, name: "Set up your first source" }).waitFor();
    expect(page.url()).toBe(`${world.base}/o/second-team/welcome`);
  });

  it("keeps the chosen appearance", async () => {
    await owner.open("/profile");
    const background = (): Promise<string> => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.getByRole("radio", { name: "Dark" }).check();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    expect(await background()).toBe(dark);
    await page.getByRole("radio", { name: "As the system" }).check();
    expect(await background()).toBe(light);
  });

  it("signs out everywhere", async () => {
    const elsewhere = await team.visit("owner");
    await owner.open("/profile");
    await press("Sign out everywhere");
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(/signed-out/);
    await elsewhere.page.reload();
    await elsewhere.page.getByRole("link", { name: "Continue with Google" }).waitFor();
    expect(elsewhere.complaints).toEqual([]);
  });
});

it("the browser has complained about nothing", () => {
  expect(owner.complaints).toEqual([]);
});

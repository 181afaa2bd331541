import { readFile } from "node:fs/promises";
import type { Activity } from "@svc/contract";
import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";
import { stepsOn } from "./console-steps.ts";
import { addSampleSource } from "./fill-team.ts";

/** A machine that does other things too takes its time. */
const PATIENT = { timeout: 20_000 };

let world: ConsoleStack;
let team: Team;
let admin: ConsoleVisitor;
let page: Page;
const { press, confirm, choose } = stepsOn(() => page);

beforeAll(async () => {
  world = await startConsoleStack();
  team = await world.newTeam();
  await addSampleSource(team);
  admin = await team.visit("admin");
  page = admin.page;
}, START_MS);
afterAll(() => world?.stop());

describe("a database", () => {
  it("is created, and its page says when it can be used", async () => {
    await admin.open("/data-sources");
    await press("Create a database");
    await page.getByRole("textbox", { name: "Name" }).fill("archive");
    await page.getByRole("textbox", { name: "Description" }).fill("What is over");
    await confirm("Create database");
    await page.getByRole("link", { name: "archive" }).click();
    await page.getByRole("heading", { level: 1, name: "archive" }).waitFor();
    // By itself, without a reload.
    await page.getByText("No search configuration is saved, so nothing can be asked: save one.").waitFor();
    expect(await team.api.getDatabase("archive")).toMatchObject({ status: "ready", description: "What is over" });
  });

  it("opens to the connection string that it shows, and after a change of passwords only to the new one", async () => {
    const show = async (): Promise<string> => {
      await admin.open("/data-sources/db_archive?tab=overview");
      await press("Get the connection string");
      const box = page.getByRole("group", { name: "Connection string" });
      expect(await box.innerText()).not.toContain("postgres://");
      await box.getByRole("button", { name: "Show it" }).click();
      return box.locator("code").innerText();
    };
    const canOpen = async (connectionString: string): Promise<boolean> => {
      const client = new pg.Client({ connectionString });
      return client
        .connect()
        .then(() => client.end())
        .then(() => true)
        .catch(() => false);
    };
    const first = await show();
    expect(await canOpen(first)).toBe(true);
    await press("Change the passwords");
    await confirm("Change the passwords");
    await expect.poll(() => canOpen(first), PATIENT).toBe(false);
    await vi.waitFor(async () => expect(await canOpen(await show())).toBe(true), { timeout: 20_000, interval: 500 });
  });

  it("is deleted only by who types its name, and can be restored", async () => {
    await admin.open("/data-sources/db_archive?tab=overview");
    await press("Delete the database");
    const button = page.getByRole("alertdialog").getByRole("button", { name: "Delete the database" });
    expect(await button.isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: 'Type "archive" to confirm' }).fill("archive");
    await confirm("Delete the database");
    await page.getByText("This database is being deleted").waitFor();
    expect(await team.api.getDatabase("archive")).toMatchObject({ status: "deleting", data_source: false });
    await press("Restore the database");
    await page.getByRole("heading", { name: "Exposure" }).waitFor();
    await expect.poll(async () => (await team.api.getDatabase("archive")).status, PATIENT).toBe("ready");
  });
});

describe("who can ask a source", () => {
  it("is said before it is changed, and is so afterwards", async () => {
    const viewer = await team.visit("viewer");
    await viewer.page.getByRole("link", { name: /^handbook/ }).waitFor();
    await admin.open("/data-sources/db_handbook?tab=overview");
    await page.getByText(/members can ask it/).waitFor();
    await choose("Minimum role", "Developer");
    const dialog = page.getByRole("alertdialog", { name: "Change the minimum role of handbook to developer?" });
    const words = await dialog.innerText();
    // Two of them are called Ada, and one of these loses something.
    expect(words).toContain("3 of 4 members will be able to ask it");
    expect(words).toContain(`No longer: ${team.emailOf("viewer")}.`);
    await confirm("Change the role");
    const { items } = await team.api.listSources();
    expect(items.find(({ name }) => name === "handbook")).toMatchObject({ exposed: true, min_role: "developer" });
    await viewer.open("/data-sources");
    await viewer.page
      .getByText(/No source is exposed|nothing/i)
      .first()
      .waitFor();
    expect(await viewer.page.getByRole("link", { name: /^handbook/ }).count()).toBe(0);
    await viewer.context.close();
    await team.api.exposeSource("db_handbook", { exposed: true, min_role: "viewer" });
  });

  it("is nobody once it is switched off as a data source", async () => {
    await admin.open("/data-sources/db_handbook?tab=overview");
    await press("Switch off");
    await confirm("Switch off");
    await expect.poll(() => page.getByRole("switch", { name: "Exposed" }).getAttribute("aria-disabled")).toBe("true");
    expect(await team.api.listAskableSources()).toEqual({ items: [] });
    await press("Switch on");
    await confirm("Switch on");
    await expect
      .poll(() => page.getByRole("switch", { name: "Exposed" }).getAttribute("aria-disabled"))
      .not.toBe("true");
    await page.getByRole("switch", { name: "Exposed" }).click();
    await confirm("Expose");
    expect((await team.api.listAskableSources()).items).toMatchObject([{ id: "db_handbook" }]);
  });
});

describe("activity", () => {
  const rows = (): ReturnType<Page["locator"]> =>
    page.getByRole("region", { name: "Activity" }).locator("[data-row-target]");
  const recorded = async (): Promise<Activity[]> => (await team.api.listActivity({ type: "data_sources" })).items;

  it("shows a question within seconds while it is live, and none while it is not", async () => {
    await admin.open("/activity?type=data_sources");
    await page.getByText("Nobody has asked anything yet").waitFor();
    await team.api.ask("db_handbook", { query: "one" });
    await expect.poll(() => rows().count(), PATIENT).toBe(1);
    await page.getByRole("switch", { name: "Live" }).click();
    await team.api.ask("db_handbook", { query: "two" });
    await expect.poll(async () => (await recorded()).length, PATIENT).toBe(2);
    // Longer than it takes to ask again.
    await page.waitForTimeout(5_000);
    expect(await rows().count()).toBe(1);
    await page.getByRole("switch", { name: "Live" }).click();
    await expect.poll(() => rows().count(), PATIENT).toBe(2);
  });

  it("is filtered by what the address says, which a reload, the way back and a colleague all understand", async () => {
    await choose("Source", "CLI");
    await expect.poll(() => page.url()).toContain("source=cli");
    await page.getByText("Nothing matches these filters").waitFor();
    await page.reload();
    await page.getByText("Nothing matches these filters").waitFor();
    await press("Clear filters");
    await expect.poll(() => rows().count(), PATIENT).toBe(2);
    expect(new URL(page.url()).searchParams.get("source")).toBeNull();
    await admin.open("/activity?type=data_sources&source=api&source_id=db_handbook");
    await expect.poll(() => rows().count(), PATIENT).toBe(2);
    await admin.open("/activity?type=data_sources&source_id=db_archive");
    await page.getByText("Nothing matches these filters").waitFor();
  });

  it("is exported with every row that the filters let through", async () => {
    await admin.open("/activity?type=data_sources");
    await expect.poll(() => rows().count(), PATIENT).toBe(2);
    const [download] = await Promise.all([page.waitForEvent("download"), press("Export CSV")]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^activity-${team.slug}-[0-9-]+\\.csv$`));
    const lines = (await readFile(await download.path(), "utf8")).trim().split(/\r?\n/);
    const ids = (await recorded()).map(({ id }) => id);
    expect(lines).toHaveLength(1 + ids.length);
    for (const [at, id] of ids.entries()) expect(lines[at + 1]).toContain(id);
  });
});

it("the browser has complained about nothing", () => {
  expect(admin.complaints).toEqual([]);
});

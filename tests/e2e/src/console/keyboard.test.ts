import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";
import { addSampleSource } from "./fill-team.ts";
import { focused, focusedName, press, tabTo } from "./keyboard-steps.ts";

let world: ConsoleStack;
let team: Team;
let sourceId: string;
let visitor: ConsoleVisitor;
let page: Page;
/** And fewer than a minute's questions. */
const MORE_ROWS_THAN_ARE_DRAWN = 50;
/** A machine that does other things too takes its time. */
const PATIENT = { timeout: 10_000 };

beforeAll(async () => {
  world = await startConsoleStack();
  team = await world.newTeam();
  sourceId = await addSampleSource(team);
  const other = await world.newTeam();
  await other.api.invite(other.slug, { email: team.emailOf("owner"), role: "developer" });
  visitor = await team.visit("owner");
  page = visitor.page;
  await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
}, START_MS);
afterAll(() => world?.stop());

/** As if by the address bar: the keyboard is nowhere in the page yet. */
async function open(path: string): Promise<void> {
  await visitor.open(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
}
function title(): Promise<string> {
  return page.getByRole("heading", { level: 1 }).innerText();
}

describe("getting about", () => {
  it("skips what is on every page", async () => {
    await open("/members");
    await press(page, "Tab");
    expect(await focused(page)).toEqual({ name: "Skip to the content", isShown: true });
    await press(page, "Enter", "Tab");
    expect(await page.evaluate("document.querySelector('main').contains(document.activeElement)")).toBe(true);
    expect((await focused(page)).name).toBe("Invite a person");
  });

  it("goes from page to page by Tab and Enter, and sees at every stop where it is", async () => {
    await open("/data-sources");
    await tabTo(page, "Members");
    await press(page, "Enter");
    await expect.poll(title, PATIENT).toBe("Members");
  });

  it("goes to pages by two keys, but not while something is being typed", async () => {
    await open("/profile");
    await press(page, "g", "d");
    await expect.poll(title, PATIENT).toBe("Data sources");
    await press(page, "g", "m");
    await expect.poll(title, PATIENT).toBe("Members");
    await press(page, "g", "d");
    await expect.poll(title, PATIENT).toBe("Data sources");
    await tabTo(page, "Name");
    await page.keyboard.type("gm");
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("gm");
    await expect.poll(title, PATIENT).toBe("Data sources");
  });

  it("finds pages in the palette, and is back where it was after Escape", async () => {
    await open("/profile");
    await tabTo(page, "Create organization");
    await press(page, "Control+k");
    await page.getByRole("dialog", { name: "Commands" }).waitFor();
    await press(page, "Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focusedName(page), PATIENT).toBe("Create organization");
    await press(page, "Control+k");
    await page.getByRole("dialog", { name: "Commands" }).waitFor();
    await page.keyboard.type("audit");
    await press(page, "Enter");
    await expect.poll(title, PATIENT).toBe("Audit");
  });

  it("shows the shortcuts", async () => {
    await open("/profile");
    await tabTo(page, "Create organization");
    await press(page, "?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press(page, "Escape");
    await expect.poll(() => focusedName(page), PATIENT).toBe("Create organization");
  });

  it("switches to another organization", async () => {
    await open("/members");
    await tabTo(page, /Switch organization$/);
    await press(page, "Enter");
    await page.getByRole("menuitem").first().waitFor();
    await press(page, "Escape");
    await expect.poll(() => focusedName(page), PATIENT).toMatch(/Switch organization$/);
    await press(page, "Enter");
    const other = page.getByRole("menuitem", { name: /Team 2/ });
    await other.waitFor();
    for (let step = 0; step < 2 && !/Team 2/.test(await focusedName(page)); step += 1) await press(page, "ArrowDown");
    await press(page, "Enter");
    await expect.poll(() => page.url(), PATIENT).toMatch(/\/o\/team-2\/data-sources$/);
  });
});

describe("getting things done", () => {
  it("opens the menu of a member, and leaves what it opened by Escape", async () => {
    await open("/members");
    const button = `Actions for ${team.emailOf("owner")}`;
    await page.getByRole("button", { name: button }).waitFor();
    await tabTo(page, button);
    await press(page, "Enter");
    await page.getByRole("menuitem", { name: "Change role" }).waitFor();
    await press(page, "Escape");
    await expect.poll(() => focusedName(page), PATIENT).toBe(button);
    await press(page, "Enter");
    await page.getByRole("menuitem", { name: "Change role" }).waitFor();
    await expect.poll(() => focusedName(page), PATIENT).toBe("Change role");
    await press(page, "Enter");
    await page.getByRole("dialog", { name: /^Change the role of/ }).waitFor();
    await press(page, "Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focusedName(page), PATIENT).toBe(button);
  });

  it("creates an API token and copies it", async () => {
    await open("/api-tokens");
    await tabTo(page, "Create token");
    await press(page, "Enter");
    await page.getByRole("dialog", { name: "Create token" }).waitFor();
    await expect.poll(() => focusedName(page), PATIENT).toMatch(/^Name/);
    await page.keyboard.type("by hand");
    await press(page, "Enter");
    await page.getByRole("dialog", { name: "by hand is ready" }).waitFor();
    await expect.poll(() => focusedName(page), PATIENT).toBe("Copy");
    await press(page, "Enter");
    await page.getByText("Copied", { exact: true }).first().waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    const known = await fetch(`${world.base}/api/me`, { headers: { authorization: `Bearer ${copied}` } });
    expect(known.status).toBe(200);
    await tabTo(page, "Done");
    await press(page, "Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focusedName(page), PATIENT).toBe("Create token");
  });

  it("takes a source away from everyone and gives it back, each after a question", async () => {
    await open(`/data-sources/${sourceId}`);
    const toggle = page.getByRole("switch", { name: "Exposed" });
    await toggle.waitFor();
    await tabTo(page, "Exposed");
    for (const [question, answer, isExposed] of [
      ["Stop exposing handbook?", "Stop exposing", false],
      ["Expose handbook?", "Expose", true],
    ] as const) {
      await press(page, "Space");
      await page.getByRole("alertdialog", { name: question }).waitFor();
      await tabTo(page, answer);
      await press(page, "Enter");
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
      await expect.poll(() => focusedName(page), PATIENT).toBe("Exposed");
      await expect.poll(() => toggle.getAttribute("aria-checked"), PATIENT).toBe(String(isExposed));
      const { items } = await team.api.listSources();
      expect(items.find(({ source_id }) => source_id === sourceId)).toMatchObject({ exposed: isExposed });
    }
  });

  it("describes a source anew, and agents read it", async () => {
    await open(`/data-sources/${sourceId}?tab=overview`);
    await page.getByRole("button", { name: "Change the description" }).waitFor();
    await tabTo(page, "Change the description");
    await press(page, "Enter");
    await page.getByRole("dialog", { name: "Describe handbook" }).waitFor();
    await expect.poll(() => focusedName(page), PATIENT).toBe("Description");
    await press(page, "Control+a");
    await page.keyboard.type("What every new colleague asks");
    await press(page, "Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focusedName(page), PATIENT).toBe("Change the description");
    const { items } = await team.api.listAskableSources();
    expect(items.find(({ id }) => id === sourceId)).toMatchObject({ description: "What every new colleague asks" });
  });

  it("asks a question from within the field", async () => {
    await open(`/data-sources/${sourceId}?tab=try`);
    await tabTo(page, "Question");
    await page.keyboard.type("Who pays for my train ticket?");
    await press(page, "Control+Enter");
    await page.getByText("Travel expenses").first().waitFor();
    // And stays there, for the next question.
    expect(await focusedName(page)).toBe("Question");
  });

  it("stays in a long table when the row it was on is scrolled away", async () => {
    for (let n = 0; n < MORE_ROWS_THAN_ARE_DRAWN; n += 1) await team.api.ask(sourceId, { query: `question ${n}` });
    await open("/activity?type=data_sources");
    const table = page.getByRole("region", { name: "Activity" });
    await expect.poll(() => table.getByRole("row").count(), PATIENT).toBeGreaterThan(20);
    await table.locator("[data-row-target]").first().focus();
    await page.evaluate("document.querySelector('[role=region][aria-label=Activity]').scrollTop = 1e6");
    await expect.poll(() => focusedName(page), PATIENT).toBe("Activity");
  });
});

describe("who asked for less motion", () => {
  beforeEach(() => page.emulateMedia({ reducedMotion: "reduce" }));

  it("sees dialogs without any", async () => {
    await open("/api-tokens");
    await tabTo(page, "Create token");
    await press(page, "Enter");
    await page.getByRole("dialog", { name: "Create token" }).waitFor();
    const seconds = await page.evaluate<string>(`(() => {
      const { transitionDuration, animationDuration } = getComputedStyle(document.querySelector("[role=dialog]"));
      return [transitionDuration, animationDuration].join();
    })()`);
    const durations = seconds.split(",").map(Number.parseFloat);
    expect(Math.max(...durations)).toBeLessThanOrEqual(0.001);
  });
});

it("the browser has complained about nothing", () => {
  expect(visitor.complaints).toEqual([]);
});

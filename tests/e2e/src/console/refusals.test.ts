import type { Problem } from "@svc/contract";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";
import { addSampleSource } from "./fill-team.ts";

const QUESTIONS_PER_MINUTE = 3;

let world: ConsoleStack;
let team: Team;
let owner: ConsoleVisitor;
let page: Page;

beforeAll(async () => {
  world = await startConsoleStack({
    QUESTIONS_PER_MINUTE: String(QUESTIONS_PER_MINUTE),
    DATABASES_PER_ORG: "2",
  });
  team = await world.newTeam();
  await addSampleSource(team);
  await team.api.createDatabase({ name: "drafts" });
  await team.api.exposeSource("db_drafts", { exposed: true });
  owner = await team.visit("owner");
  page = owner.page;
}, START_MS);
afterAll(() => world?.stop());

/** What the service said to what was pressed; waits until the page says the same, where a screen reader hears it. */
async function refusalOf(on: Page, press: () => Promise<void>): Promise<Problem> {
  const refused = on.waitForResponse((response) => response.status() >= 400 && response.url().includes("/api/"));
  await press();
  // A question is refused in the format in which it would be answered; JSON is YAML as well.
  const problem = parse(await (await refused).text()) as Problem;
  await on.getByRole("alert").filter({ hasText: problem.detail }).first().waitFor();
  return problem;
}

const submit = (on: Page, name: string) => (): Promise<void> =>
  on.getByRole("dialog").or(on.getByRole("alertdialog")).getByRole("button", { name, exact: true }).click();

async function openCreateDatabase(visitor: ConsoleVisitor, name: string): Promise<void> {
  await visitor.open("/data-sources");
  await visitor.page.getByRole("button", { name: "Create a database" }).click();
  await visitor.page.getByRole("textbox", { name: "Name" }).fill(name);
}
const typedName = (on: Page): Promise<string> => on.getByRole("textbox", { name: "Name" }).inputValue();

async function ask(source: string): Promise<void> {
  await owner.open(`/data-sources/${source}?tab=try`);
  await page.getByRole("textbox", { name: "Question" }).fill("Who pays for my train ticket?");
}
const pressAsk = (): Promise<void> => page.getByRole("button", { name: "Ask", exact: true }).click();

describe("a refusal is told in words, and what was typed stays", () => {
  it.each([
    { name: "handbook", code: "CONFLICT", words: "There is a database named handbook already. Choose another name." },
    { name: "third", code: "DATABASE_LIMIT", words: "may have 2" },
  ])("of a database: $code", async ({ name, code, words }) => {
    await openCreateDatabase(owner, name);
    const problem = await refusalOf(page, submit(page, "Create database"));
    expect(problem).toMatchObject({ code, detail: expect.stringContaining(words) });
    expect(await typedName(page)).toBe(name);
  });

  it("of a name that cannot be one, before it is sent", async () => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await openCreateDatabase(owner, "Über uns");
    await submit(page, "Create database")();
    await page.getByRole("textbox", { name: "Name" }).and(page.locator("[aria-invalid=true]")).waitFor();
    expect(requests).not.toContain("POST /api/wf/databases");
    expect(await typedName(page)).toBe("Über uns");
  });

  it("of an invitation to somebody who is there", async () => {
    await owner.open("/members");
    await page.getByRole("button", { name: "Invite a person" }).click();
    await page.getByRole("textbox", { name: "E-mail" }).fill(team.emailOf("owner"));
    const problem = await refusalOf(page, submit(page, "Invite"));
    expect(problem).toMatchObject({ code: "CONFLICT", detail: expect.stringContaining("is a member already") });
    expect(await page.getByRole("textbox", { name: "E-mail" }).inputValue()).toBe(team.emailOf("owner"));
  });

  it("of the last owner's leaving", async () => {
    const { items } = await team.api.listMembers(team.slug);
    const robot = items.find(({ user }) => user.email.startsWith("robot@"));
    await team.api.changeMember(team.slug, robot?.id ?? "", { role: "admin" });
    await owner.open("/members");
    await page.getByRole("button", { name: `Actions for ${team.emailOf("owner")}` }).click();
    await page.getByRole("menuitem", { name: "Leave the organization" }).click();
    expect(await refusalOf(page, submit(page, "Leave"))).toMatchObject({ code: "LAST_OWNER" });
  });

  it("of a token that was revoked meanwhile", async () => {
    const { api_token } = await owner.api.createApiToken({ name: "nightly" });
    await owner.open("/api-tokens");
    await page
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .click();
    await owner.api.revokeApiToken(api_token.id);
    expect(await refusalOf(page, submit(page, "Revoke"))).toMatchObject({ status: 404 });
  });

  it("of what one's role has just stopped to allow", async () => {
    const developer = await team.visit("developer");
    await openCreateDatabase(developer, "late");
    const { items } = await team.api.listMembers(team.slug);
    const member = items.find(({ user }) => user.email === team.emailOf("developer"));
    await owner.api.changeMember(team.slug, member?.id ?? "", { role: "viewer" });
    const problem = await refusalOf(developer.page, submit(developer.page, "Create database"));
    expect(problem).toMatchObject({ status: 403, detail: expect.stringContaining("needs the role developer") });
    expect(await typedName(developer.page)).toBe("late");
    expect(developer.complaints).toEqual([]);
    await developer.context.close();
  });

  it("of a question: nothing to search, not exposed, too many, and then it waits the time that it was told", async () => {
    await ask("db_drafts");
    expect(await refusalOf(page, pressAsk)).toMatchObject({ code: "SEARCH_NOT_CONFIGURED" });
    await team.api.exposeSource("db_drafts", { exposed: false });
    await ask("db_drafts");
    expect(await refusalOf(page, pressAsk)).toMatchObject({ status: 404 });
    for (let n = 1; n <= QUESTIONS_PER_MINUTE; n += 1) await team.api.ask("db_handbook", { query: "x" }).catch(() => 0);
    await ask("db_handbook");
    expect(await refusalOf(page, pressAsk)).toMatchObject({ status: 429 });
    await page
      .getByText(/takes requests again in \d+ seconds?\./)
      .first()
      .waitFor();
    const again = page.getByRole("button", { name: "Try again" });
    expect(await again.getAttribute("aria-disabled")).toBe("true");
    expect(await page.getByRole("textbox", { name: "Question" }).inputValue()).toBe("Who pays for my train ticket?");
  });
});

it("a service that cannot be reached is told from one that refuses, and is tried again", async () => {
  await owner.open("/members");
  await page.getByRole("button", { name: "Invite a person" }).click();
  await page.getByRole("textbox", { name: "E-mail" }).fill("somebody@team-1.example");
  await owner.context.setOffline(true);
  await submit(page, "Invite")();
  await page.getByRole("alert").filter({ hasText: "The service cannot be reached." }).waitFor();
  await owner.context.setOffline(false);
  await submit(page, "Invite")();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const invited = page.getByRole("table", { name: "Open invitations" }).getByText("somebody@team-1.example");
  await expect.poll(() => invited.count()).toBe(1);
});

it("the browser has complained about nothing", () => {
  expect(owner.complaints).toEqual([]);
});

import { pageOf, grantSchema } from "@svc/contract";
import { newId } from "@svc/platform/ids";
import { Client } from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";
import { addSampleSource } from "./fill-team.ts";
import { HOSTILE, HOSTILE_ROWS } from "./markup-corpus.ts";

let world: ConsoleStack;
let team: Team;
let sourceId: string;
let visitor: ConsoleVisitor;
let page: Page;
const dialogs: string[] = [];
/** A machine that does other things too takes its time. */
const PATIENT = { timeout: 10_000 };
const [SCRIPT = "", , IMAGE = ""] = HOSTILE;

beforeAll(async () => {
  world = await startConsoleStack();
  team = await world.newTeam();
  await Promise.all([addSampleSource(team).then((id) => (sourceId = id)), createOrgs(), joinAs(IMAGE)]);
  await insertRows();
  visitor = await team.visit("owner");
  page = visitor.page;
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.addInitScript(`
    window.refusals = [];
    document.addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
      refusals.push(violatedDirective + " " + blockedURI));
  `);
}, START_MS);
afterAll(() => world?.stop());

/** The same address is the owner of the team and of an organization for each text. */
async function createOrgs(): Promise<void> {
  const headers = {
    authorization: `Bearer ${world.stack.secrets.OPERATOR_TOKEN}`,
    "content-type": "application/json",
  };
  for (const name of HOSTILE) {
    const body = JSON.stringify({ name, admin_email: team.emailOf("owner") });
    const response = await fetch(`${world.base}/api/v1/admin/orgs`, { method: "POST", headers, body });
    expect(response.status).toBe(201);
  }
}

/** A member whose account, elsewhere, has this name. */
async function joinAs(name: string): Promise<void> {
  const { signIn, context } = await world.newVisitor();
  await signIn("Google", world.googler(team.emailOf("viewer"), { name }));
  await context.close();
}

async function insertRows(): Promise<void> {
  const { connection_string } = await team.api.databaseConnection("handbook");
  const database = new Client({ connectionString: connection_string });
  await database.connect();
  try {
    // Twenty to a team, which is as many as an answer has.
    await database.query(
      `insert into sample_notes (title, body, team, year, embedding)
       select text, text, 'rows ' || (at - 1) / 20, 2026, (select embedding from sample_notes limit 1)
         from unnest($1::text[]) with ordinality as rows (text, at)`,
      [HOSTILE_ROWS],
    );
  } finally {
    await database.end();
  }
}

/** What a page shows where all texts are there, letter for letter, and nothing came of any. */
const AS_TEXT = { missing: [], ran: false, refusals: [], foreign: [], handlers: [], links: [], dialogs: [] };
const FOREIGN =
  "img, iframe, object, embed, base, math, style, meta[http-equiv], script:not([src]), svg:not(.lucide, [class*=recharts]), form[action]:not([action='/logout'])";

async function lookFor(texts: readonly string[]): Promise<object> {
  const seen = await page.evaluate<object>(`(() => {
    const elements = [...document.querySelectorAll("*")];
    const shown = new Set(elements.map(({ textContent }) => textContent));
    const htmlOf = (found) => found.map(({ outerHTML }) => outerHTML.slice(0, 200));
    const isHandled = (element) => element.getAttributeNames().some((name) => name.startsWith("on"));
    const leadsAway = ({ href }) => href !== undefined && href !== "" && new URL(href, location.href).origin !== origin;
    return {
      missing: ${JSON.stringify(texts)}.filter((text) => !shown.has(text)),
      ran: "__ran" in window,
      refusals,
      foreign: htmlOf(elements.filter((element) => element.matches(${JSON.stringify(FOREIGN)}))),
      handlers: htmlOf(elements.filter(isHandled)),
      links: htmlOf(elements.filter((element) => element.matches("a, link") && leadsAway(element))),
    };
  })()`);
  return { ...seen, dialogs };
}

describe("what people name things is shown as text", () => {
  it("names of API tokens, and of what was done with them", async () => {
    for (const name of HOSTILE) await visitor.api.createApiToken({ name });
    await visitor.open("/api-tokens");
    await expect.poll(() => lookFor(HOSTILE), PATIENT).toEqual(AS_TEXT);
    await page.getByRole("button", { name: `Revoke ${SCRIPT}` }).click();
    await expect.poll(() => lookFor([`Revoke ${SCRIPT}?`]), PATIENT).toEqual(AS_TEXT);
    await visitor.open("/audit?action=api_token.created");
    await expect.poll(() => lookFor(HOSTILE), PATIENT).toEqual(AS_TEXT);
    await page.locator("[data-row-target]").first().click();
    await page.getByRole("dialog").waitFor();
    expect(await lookFor([])).toEqual(AS_TEXT);
  });

  it("names of organizations", async () => {
    await visitor.open("/profile");
    await expect.poll(() => lookFor(HOSTILE), PATIENT).toEqual(AS_TEXT);
    await page.getByRole("button", { name: /Switch organization$/ }).click();
    await page.getByRole("menuitem").first().waitFor();
    await expect.poll(() => lookFor(HOSTILE), PATIENT).toEqual(AS_TEXT);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Commands" }).waitFor();
    await expect.poll(() => lookFor(HOSTILE.map((name) => `Switch to ${name}`)), PATIENT).toEqual(AS_TEXT);
  });

  it("names of people", async () => {
    await visitor.open("/members");
    await expect.poll(() => lookFor([IMAGE]), PATIENT).toEqual(AS_TEXT);
  });

  it("descriptions of sources", async () => {
    // As many at a time as have room in one.
    for (const description of inLines(HOSTILE, 500)) {
      await team.api.updateDatabase("handbook", { description });
      await visitor.open("/data-sources");
      await expect.poll(() => lookFor([description]), PATIENT).toEqual(AS_TEXT);
      await visitor.open(`/data-sources/${sourceId}`);
      await expect.poll(() => lookFor([description]), PATIENT).toEqual(AS_TEXT);
    }
  });

  it("names that agents give themselves", async () => {
    const [user] = (await team.api.listMembers(team.slug)).items.map((member) => member.user);
    const grants = HOSTILE.map((name) => ({
      id: newId("grt"),
      client: { id: "https://agent.example/client", name, redirect_host: "agent.example" },
      user,
      scopes: ["data:read", SCRIPT],
      created_at: new Date().toISOString(),
      last_used_at: null,
      expires_at: new Date().toISOString(),
    }));
    const answer = pageOf(grantSchema).parse({ items: grants, next_cursor: null });
    await page.route("**/api/v1/grants*", (route) => route.fulfill({ json: answer }));
    await visitor.open("/agents");
    await expect.poll(() => lookFor(HOSTILE), PATIENT).toEqual(AS_TEXT);
    await page.unrouteAll();
  });
});

describe("what was asked and found is shown as text", () => {
  it("questions", async () => {
    await visitor.open(`/data-sources/${sourceId}?tab=try`);
    const question = page.getByRole("textbox", { name: "Question" });
    await question.waitFor();
    for (const text of HOSTILE) {
      await question.fill(text);
      expect(await question.inputValue()).toBe(text);
    }
    await page.keyboard.press("Control+Enter");
    await page.getByText(/of 16,384 bytes/).waitFor();
    expect(await lookFor([])).toEqual(AS_TEXT);
  });

  it.each([0, 1, 2])("rows, part %i", async (part) => {
    const texts = HOSTILE_ROWS.slice(part * 20, part * 20 + 20);
    await visitor.open(`/data-sources/${sourceId}?tab=try`);
    await page.getByRole("textbox", { name: "Question" }).fill("anything");
    await page.getByRole("combobox", { name: "Filter by a column" }).fill("team");
    await page.getByRole("option", { name: /team/ }).click();
    await page.getByRole("textbox", { name: "Value of team" }).fill(`rows ${part}`);
    await page.getByRole("spinbutton", { name: "Hits" }).fill("20");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByText(`${texts.length} hits`, { exact: true }).waitFor();
    expect(await lookFor([])).toEqual(AS_TEXT);
    await page.getByRole("radio", { name: "JSON" }).check();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("radio", { name: "Hits", exact: true }).check();
    await expect.poll(() => lookFor(texts), PATIENT).toEqual(AS_TEXT);
  });
});

it.each(HOSTILE.slice(0, 6))("an address with %s in it is shown as text", async (text) => {
  const part = encodeURIComponent(text);
  await visitor.open(`/data-sources?name=${part}`);
  await expect.poll(() => lookFor([`No name contains “${text}”.`]), PATIENT).toEqual(AS_TEXT);
  await visitor.open(`/data-sources/${part}`);
  await page.getByText("There is no such data source").waitFor();
  expect(await lookFor([])).toEqual(AS_TEXT);
  await visitor.open(`/audit?action=${part}`);
  await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
  expect(await lookFor([])).toEqual(AS_TEXT);
  await page.goto(`${world.base}/o/${part}/members`);
  await expect.poll(() => lookFor([`You are not in an organization called ${text}`]), PATIENT).toEqual(AS_TEXT);
});

it("the browser has complained about nothing", () => {
  expect(visitor.complaints).toEqual([]);
});

/** Joined into lines of at most so many letters. */
function inLines(texts: readonly string[], longest: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + text.length < longest) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return lines;
}

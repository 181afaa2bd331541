import type { ApiClient } from "@svc/http-client";
import { ApiProblem } from "@svc/http-client";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";
import { addSampleSource } from "./fill-team.ts";

const ROLES = ["owner", "admin", "developer", "viewer"] as const;

let world: ConsoleStack;
let team: Team;
let sourceId: string;
let leavers = 0;

beforeAll(async () => {
  world = await startConsoleStack();
  team = await world.newTeam();
  sourceId = await addSampleSource(team);
  await team.api.ask(sourceId, { query: "holidays" });
}, START_MS);
afterAll(() => world?.stop());

interface Gate {
  /** What it is about, for the name of the test. */
  act: string;
  path: () => string;
  /** What has to be pressed before the control is there. */
  before?: (page: Page) => Promise<void>;
  control: (page: Page) => Locator;
  /** The API call behind it; refused with 403 to whom the control must be closed. Changes nothing that others look at. */
  call: (api: ApiClient) => Promise<unknown>;
}

const NOBODY = "mem_01h455vb4pex5vsknk084sn02q";

/** Of somebody else: one's own says how to leave. */
const openMenu = (page: Page): Promise<void> => page.getByRole("button", { name: "Actions for robot@" }).click();

const GATES: Gate[] = [
  {
    act: "creating a database",
    path: () => "/data-sources",
    control: (page) => page.getByRole("button", { name: "Create a database" }),
    call: (api) => api.createDatabase({ name: "Not A Name" }),
  },
  {
    act: "exposing a source",
    path: () => `/data-sources/${sourceId}?tab=overview`,
    control: (page) => page.getByRole("switch", { name: "Exposed" }),
    call: (api) => api.exposeSource("db_nowhere", { exposed: true }),
  },
  ...(
    [
      ["changing a description", "Change the description", (api) => api.updateDatabase("nowhere", { description: "" })],
      [
        "checking the model",
        "Check the model",
        (api) => api.probeModel("db_nowhere", { send_rows_to_embedding_provider: true }),
      ],
      ["seeing a connection string", "Get the connection string", (api) => api.databaseConnection("nowhere")],
      ["changing passwords", "Change the passwords", (api) => api.rotateDatabase("nowhere")],
      ["switching a source off", "Switch off", (api) => api.updateDatabase("nowhere", { data_source: false })],
      ["deleting a database", "Delete the database", (api) => api.deleteDatabase("nowhere")],
    ] satisfies [string, string, Gate["call"]][]
  ).map(([act, name, call]) => ({
    act,
    path: () => `/data-sources/${sourceId}?tab=overview`,
    control: (page: Page) => page.getByRole("button", { name }),
    call,
  })),
  {
    act: "inviting people",
    path: () => "/members",
    control: (page) => page.getByRole("button", { name: "Invite a person" }),
    call: (api) => api.revokeInvitation(team.slug, "inv_01h455vb4pex5vsknk084sn02q"),
  },
  {
    act: "changing a role",
    path: () => "/members",
    before: openMenu,
    control: (page) => page.getByRole("menuitem", { name: /^Change role/ }),
    call: (api) => api.changeMember(team.slug, NOBODY, { role: "viewer" }),
  },
  {
    act: "removing a member",
    path: () => "/members",
    before: openMenu,
    control: (page) => page.getByRole("menuitem", { name: /^Remove/ }),
    // Anybody may leave, so only about somebody who is there it says no.
    call: async (api) => {
      const leaver = `leaver-${(leavers += 1)}@team.example`;
      const { memberId } = await world.stack.issueMemberToken(team.orgId, leaver, "viewer");
      return api.removeMember(team.slug, memberId);
    },
  },
];

describe.each(ROLES)("as %s", (role) => {
  let visitor: ConsoleVisitor;
  let api: ApiClient;
  beforeAll(async () => {
    visitor = await team.visit(role);
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
    api = visitor.api;
  });
  afterAll(() => visitor?.context.close());

  it.each(GATES)(
    "$act is open exactly where the API allows it, and closed with a reason",
    async ({ path, before, control, call }) => {
      const { page, open } = visitor;
      await open(path());
      await before?.(page);
      const button = control(page);
      // Who may not even see what it is about is told that in its place.
      const instead = page.getByText("Seeing the configuration and the health of a source needs the role developer");
      await button.or(instead).waitFor();
      const reason = (await instead.isVisible()) ? await instead.innerText() : await reasonOf(button);
      expect(reason !== undefined).toBe((await statusOf(call(api))) === 403);
      expect(reason ?? "open").toMatch(/^open$|needs the role .*You are (a|an) /);
    },
  );

  it("sees the pages that the API answers, and on the others why not", async () => {
    const { page, open } = visitor;
    await open("/audit");
    const mayAudit = (await statusOf(api.listAudit(team.slug))) !== 403;
    expect((await statusOf(api.listSourceAudit())) !== 403).toBe(mayAudit);
    if (mayAudit) {
      await page.getByRole("table", { name: "Audit entries" }).getByText("signed in").first().waitFor();
      await page.getByRole("radio", { name: "Data sources" }).check();
      await page
        .getByRole("table", { name: "Audit entries" })
        .getByText(/^exposed handbook/)
        .first()
        .waitFor();
    } else await page.getByText("Reading the audit trail needs the role admin or owner.").waitFor();

    await open("/members");
    await page.getByRole("table", { name: "Members", exact: true }).getByText(team.emailOf("owner")).first().waitFor();
    const mayInvite = (await statusOf(api.listInvitations(team.slug))) !== 403;
    if (mayInvite)
      await page
        .getByText("No invitation is open")
        .or(page.getByRole("table", { name: "Open invitations" }))
        .waitFor();
    else await page.getByText("Seeing invitations needs the role owner.").waitFor();

    await open("/data-sources");
    await page.getByRole("link", { name: "handbook" }).waitFor();
    const mayConfigure = (await statusOf(api.listSources())) !== 403;
    expect(await page.getByText(/Seeing all sources.* needs the role developer/).count()).toBe(mayConfigure ? 0 : 1);

    for (const { path, what, list } of [
      { path: "/api-tokens", what: "tokens", list: () => api.listApiTokens({ scope: "org" }) },
      { path: "/agents", what: "agents", list: () => api.listGrants({ scope: "org" }) },
    ]) {
      await open(path);
      const mayAll = (await statusOf(list())) !== 403;
      const everyones = page.getByRole("radio", { name: "Everyone's" });
      if (mayAll) await everyones.waitFor();
      else await page.getByText(`Seeing everyone's ${what} needs the role admin or owner.`).waitFor();
      expect(await everyones.count()).toBe(mayAll ? 1 : 0);
    }

    await open("/welcome");
    if (mayConfigure) await page.getByRole("heading", { name: /Ask the first question/ }).waitFor();
    else await page.getByText("Setting up a source needs the role developer, admin or owner.").waitFor();
  });

  it("asks a source and gets what an agent would get", async () => {
    const { page, open } = visitor;
    await open(`/data-sources/${sourceId}?tab=try`);
    await page.getByRole("textbox", { name: "Question" }).fill("Who pays for my train ticket?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect.poll(() => page.getByText("Travel expenses").count(), { timeout: 20_000 }).toBeGreaterThan(0);
  });

  it("sees in Activity what the API shows this person", async () => {
    const { page, open } = visitor;
    await open("/activity?type=data_sources");
    // Records are written a moment after the answer; the page asks again by itself.
    const isAsTheApiSays = async (): Promise<boolean> => {
      const { items } = await api.listActivity({ type: "data_sources" });
      const shown = page.getByRole("status").filter({ hasText: `All ${items.length} shown` });
      return items.length > 0 && (await shown.count()) > 0;
    };
    await expect.poll(isAsTheApiSays, { timeout: 20_000 }).toBe(true);
  });

  it("was never bothered by the browser", () => {
    expect(visitor.complaints).toEqual([]);
  });
});

/** The status of a refusal, or 200. */
async function statusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof ApiProblem) return error.problem.status;
    throw error;
  }
}

/** Why a control is closed, as a screen reader says it; in a menu the reason stands in the item. Undefined where it is open. */
async function reasonOf(control: Locator): Promise<string | undefined> {
  if ((await control.getAttribute("aria-disabled")) !== "true") return undefined;
  const ids = (await control.getAttribute("aria-describedby")) ?? "";
  const page = control.page();
  const notes = await Promise.all(
    ids
      .split(" ")
      .filter(Boolean)
      .map((id) => page.locator(`[id="${id}"]`).textContent()),
  );
  return [await control.textContent(), ...notes].join(" ");
}

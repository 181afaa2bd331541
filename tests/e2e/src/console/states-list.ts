import type { Locator, Page } from "playwright-core";
import { AGENTS, databaseNamed, FINDINGS, LONG_SOURCE, MUCH, NOTHING, WHOLE_ANSWER } from "./states-answers.ts";
import type { Weather } from "./states-browser.ts";

interface Shown {
  /** The page, as pictures of it are named. */
  page: string;
  /** Below the organization. */
  path: string;
}

/** A page on its way from nothing to filled. */
export interface Arrival extends Shown, Pick<Weather, "answers"> {
  filled: (page: Page) => Locator;
  /** Its rows begin where the first stand-in for a row was. */
  isList?: true;
}

export interface State extends Shown, Weather {
  state: string;
  as?: "viewer";
  /** What there is to do before it is looked at. */
  act?: (page: Page) => Promise<unknown>;
  shown: (page: Page) => Locator;
}

const SOURCE = "/data-sources/db_handbook";
const MUCH_SOURCE = `/data-sources/${LONG_SOURCE}`;
const text =
  (words: string | RegExp) =>
  (page: Page): Locator =>
    page.getByText(words).filter({ visible: true }).first();
const dialog =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name }));
const press =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole("button", { name }).first().click();
const alert = (page: Page): Locator => page.getByRole("alert").first();
const ask = async (page: Page): Promise<void> => {
  await page.getByRole("textbox", { name: "Question" }).fill("Who pays for my train ticket?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
};
const askForJson = async (page: Page): Promise<void> => {
  await page.getByRole("radio", { name: "JSON" }).check();
  await ask(page);
};

export const ARRIVALS: Arrival[] = [
  {
    page: "data-sources",
    path: "/data-sources",
    filled: (page) => page.getByRole("link", { name: /^handbook/ }),
    isList: true,
  },
  { page: "source-overview", path: SOURCE, filled: text("In order") },
  { page: "source-connect", path: `${SOURCE}?tab=connect`, filled: text("Claude Code") },
  { page: "activity", path: "/activity?type=data_sources", filled: text(/^All \d+ shown/), isList: true },
  { page: "agents", path: "/agents", answers: AGENTS, filled: text("Agent 1"), isList: true },
  { page: "members", path: "/members", filled: text("owner@team-1.example"), isList: true },
  { page: "audit", path: "/audit", filled: text("joined"), isList: true },
  {
    page: "audit-sources",
    path: "/audit?trail=sources",
    filled: text("created the database"),
    isList: true,
  },
  { page: "api-tokens", path: "/api-tokens", filled: text("nightly report"), isList: true },
  { page: "welcome", path: "/welcome", filled: (page) => page.getByRole("button", { name: "Ask", exact: true }) },
];

const empty: State[] = [
  { page: "data-sources", path: "/data-sources", shown: text("No data source yet") },
  { page: "source-overview", path: SOURCE, shown: text("There is no such data source") },
  { page: "activity", path: "/activity", shown: text("No function was called") },
  {
    page: "activity-filtered",
    path: "/activity?type=data_sources&source=mcp",
    shown: text("Nothing matches these filters"),
  },
  { page: "agents", path: "/agents", shown: text("You have connected no agent") },
  { page: "members", path: "/members", shown: text("No invitation is open") },
  { page: "audit", path: "/audit", shown: text("Nothing has happened yet") },
  { page: "api-tokens", path: "/api-tokens", shown: text("You have no token") },
  { page: "welcome", path: "/welcome", shown: (page: Page) => page.getByRole("button", { name: "Create database" }) },
].map((state) => ({ ...state, state: "empty", answers: NOTHING }));

const failed: State[] = [
  ...["/data-sources", SOURCE, "/activity", "/agents", "/members", "/audit", "/api-tokens", "/welcome"].map((path) => ({
    page: path === SOURCE ? "source-overview" : path.slice(1),
    path,
    failing: "**",
  })),
  { page: "source-health", path: SOURCE, failing: "/api/wf/data-sources/*/health" },
  { page: "source-connect", path: `${SOURCE}?tab=connect`, failing: "/api/instance" },
  { page: "source-try", path: `${SOURCE}?tab=try`, failing: "/api/wf/slim/data-sources/*/query", act: ask },
].map((state) => ({ ...state, state: "error", shown: alert }));

const forbidden: State[] = [
  { page: "data-sources", path: "/data-sources", shown: text(/needs the role developer/) },
  { page: "source-overview", path: `${SOURCE}?tab=overview`, shown: text(/needs the role developer/) },
  { page: "source-missing", path: "/data-sources/db_nothing", shown: text("There is no such data source for you") },
  { page: "agents", path: "/agents", shown: text(/needs the role admin/) },
  { page: "members", path: "/members", shown: text(/needs the role owner/) },
  { page: "audit", path: "/audit", shown: text(/needs the role admin/) },
  { page: "api-tokens", path: "/api-tokens", shown: text(/needs the role admin/) },
  { page: "welcome", path: "/welcome", shown: text(/needs the role developer/) },
].map((state) => ({ ...state, state: "forbidden", as: "viewer" }));

const long: State[] = [
  { page: "data-sources", path: "/data-sources", shown: text(/problems$/) },
  { page: "source-overview", path: MUCH_SOURCE, shown: text("Problems") },
  { page: "source-connect", path: `${MUCH_SOURCE}?tab=connect`, shown: text("Claude Code") },
  {
    page: "source-try",
    path: `${MUCH_SOURCE}?tab=try`,
    answers: WHOLE_ANSWER,
    act: askForJson,
    shown: text(/of 16,384 bytes/),
  },
  {
    page: "source-try-hits",
    path: `${MUCH_SOURCE}?tab=try`,
    answers: WHOLE_ANSWER,
    act: async (page: Page) => {
      await askForJson(page);
      await page.getByRole("radio", { name: "Hits" }).check();
    },
    shown: text(/^0\.123/),
  },
  { page: "activity", path: "/activity?type=data_sources", shown: text("Showing the first 100") },
  {
    page: "activity-drawer",
    path: "/activity",
    act: (page: Page) => page.locator("[data-row-target]").first().click(),
    shown: dialog(/A question to/),
  },
  { page: "agents", path: "/agents", shown: text("Showing the first 10") },
  { page: "agents-disconnect", path: "/agents", act: press(/^Disconnect/), shown: dialog(/^Disconnect/) },
  { page: "members", path: "/members", shown: text("Showing the first 40") },
  { page: "audit", path: "/audit", shown: text("Showing the first 10") },
  {
    page: "audit-drawer",
    path: "/audit",
    act: (page: Page) => page.locator("[data-row-target]").first().click(),
    shown: dialog("member.role_changed"),
  },
  { page: "api-tokens", path: "/api-tokens", shown: text("Showing the first 10") },
  { page: "profile", path: "/profile", shown: text(/^Role in/) },
  { page: "welcome", path: "/welcome", shown: (page: Page) => page.getByRole("button", { name: "Ask", exact: true }) },
].map((state) => ({ ...state, state: "long", answers: { ...MUCH, ...state.answers } }));

const others: State[] = [
  { page: "profile", state: "filled", path: "/profile", shown: text("Sign out everywhere") },
  { page: "source-try", state: "empty", path: `${SOURCE}?tab=try`, shown: text("The answer appears here") },
  {
    page: "source-try",
    state: "loading",
    path: `${SOURCE}?tab=try`,
    held: "/api/wf/slim/data-sources/*/query",
    act: ask,
    shown: text("Asking"),
  },
  { page: "source-try", state: "filled", path: `${SOURCE}?tab=try`, act: ask, shown: text("Travel expenses") },
  { page: "source-overview", state: "unhealthy", path: SOURCE, answers: FINDINGS, shown: text("Problems") },
  {
    page: "source-overview",
    state: "unconfigured",
    path: "/data-sources/db_drafts",
    shown: text("Nothing can be searched yet"),
  },
  ...(["creating", "deleting"] as const).map((status) => ({
    page: "source-overview",
    state: status,
    path: SOURCE,
    answers: { "/api/wf/databases": { items: [databaseNamed("handbook", status)] } },
    shown: text(/^Being (made|deleted)/),
  })),
];

/** What opens above a page. */
const opened: State[] = [
  {
    page: "create-database",
    path: "/data-sources",
    act: press("Create a database"),
    shown: dialog("Create a database"),
  },
  {
    page: "stop-exposing",
    path: SOURCE,
    act: (page: Page) => page.getByRole("switch", { name: "Exposed" }).click(),
    shown: dialog(/^Stop exposing/),
  },
  {
    page: "describe-database",
    path: SOURCE,
    act: press("Change the description"),
    shown: dialog("Describe handbook"),
  },
  {
    page: "model-checked",
    path: SOURCE,
    act: async (page: Page) => {
      await press("Check the model")(page);
      await page.getByRole("alertdialog").getByRole("button", { name: "Check the model" }).click();
    },
    shown: text(/the vectors look like those of/),
  },
  { page: "delete-database", path: SOURCE, act: press("Delete the database"), shown: dialog("Delete handbook?") },
  {
    page: "activity-drawer",
    path: "/activity?type=data_sources",
    act: (page: Page) => page.locator("[data-row-target]").first().click(),
    shown: dialog(/A question to/),
  },
  {
    page: "member-menu",
    path: "/members",
    act: press(/^Actions for/),
    shown: (page: Page) => page.getByRole("menuitem").first(),
  },
  { page: "invite", path: "/members", act: press("Invite a person"), shown: dialog("Invite a person") },
  { page: "create-token", path: "/api-tokens", act: press("Create token"), shown: dialog("Create token") },
  {
    page: "secret",
    path: "/api-tokens",
    act: async (page: Page) => {
      await press("Create token")(page);
      await page.getByRole("textbox", { name: "Name" }).fill("weekly report");
      await page.keyboard.press("Enter");
    },
    shown: dialog("weekly report is ready"),
  },
  {
    page: "create-organization",
    path: "/profile",
    act: press("Create organization"),
    shown: dialog("Create organization"),
  },
  {
    page: "person-menu",
    path: "/profile",
    act: press(/profile, theme, sign out/),
    shown: (page: Page) => page.getByRole("menuitem", { name: "Sign out" }),
  },
  {
    page: "palette",
    path: "/profile",
    act: (page: Page) => page.keyboard.press("Control+k"),
    shown: dialog("Commands"),
  },
  { page: "shortcuts", path: "/profile", act: (page: Page) => page.keyboard.press("?"), shown: dialog(/shortcuts/i) },
].map((state) => ({ ...state, state: "open" }));

export const STATES: State[] = [...others, ...empty, ...failed, ...long, ...opened, ...forbidden];

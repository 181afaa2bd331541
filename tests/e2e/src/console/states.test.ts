import { join } from "node:path";
import { buildConsole, ROOT } from "@svc/dev";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleStack, type ConsoleVisitor, START_MS, startConsoleStack, type Team } from "./console-stack.ts";
import { addSampleSource } from "./fill-team.ts";
import { shareAmong, type StagedService, stageService } from "./states-browser.ts";
import { ARRIVALS, STATES } from "./states-list.ts";
import { look, prepareToLook } from "./states-look.ts";

let world: ConsoleStack;
let team: Team;
const seats: Seat[] = [];
/** A machine that does other things too takes its time. */
const PATIENT = { timeout: 10_000 };
/** Two look at a time, which is what two cores have the time for. */
let withOwner: ReturnType<typeof shareAmong<Seat>>;
let withViewer: ReturnType<typeof shareAmong<Seat>>;

/** Somebody in front of a page whose service is staged. */
interface Seat {
  visitor: ConsoleVisitor;
  page: Page;
  service: StagedService;
}

beforeAll(async () => {
  // A development build, for the page of patterns.
  const site = await buildConsole({ mode: "development", directory: join(ROOT, "clients/console/dist/development") });
  world = await startConsoleStack({ CONSOLE_DIRECTORY: site });
  team = await world.newTeam();
  const [sourceId] = await Promise.all([addSampleSource(team), team.api.createDatabase({ name: "drafts" })]);
  const [owner, viewer] = [await takeSeat("owner"), await takeSeat("viewer")];
  withOwner = shareAmong([owner, await takeSeat("owner")]);
  withViewer = shareAmong([viewer]);
  const { api } = owner.visitor;
  await Promise.all([
    ...["Who pays for my train ticket?", "holidays"].map((query) => api.ask(sourceId, { query })),
    api.createApiToken({ name: "nightly report" }),
    api.invite(team.slug, { email: "new@team-1.example", role: "developer" }),
  ]);
}, START_MS);
afterAll(() => world?.stop());

async function takeSeat(role: "owner" | "viewer"): Promise<Seat> {
  const visitor = await team.visit(role);
  await prepareToLook(visitor.page);
  const seat = { visitor, page: visitor.page, service: await stageService(visitor.page) };
  seats.push(seat);
  return seat;
}

describe("every page", () => {
  it.concurrent.each(ARRIVALS)(
    "$page loads without a jump, and looks right before and after",
    async ({ page: name, path, answers = {}, filled, isList }) => {
      await withOwner(async ({ page, service, visitor }) => {
        service.set({ answers, held: "**" });
        await visitor.open(path);
        await page.getByRole("main").locator(".animate-pulse").first().waitFor();
        const before = await placesOf(page);
        expect(await look(page, `${name}-loading`)).toEqual([]);
        service.release();
        await filled(page).waitFor();
        const after = await placesOf(page);
        expect(after.heading).toEqual(before.heading);
        expect(isList ? Math.abs(after.row - before.row) : 0).toBeLessThanOrEqual(2);
        await expect.poll(() => page.getByRole("main").locator(".animate-pulse").count(), PATIENT).toBe(0);
        expect(await look(page, `${name}-filled`)).toEqual([]);
      });
    },
  );

  it.concurrent.each(STATES)(
    "$page looks right when it is $state",
    async ({ page: name, state, path, as, act, shown, ...weather }) => {
      await (as === "viewer" ? withViewer : withOwner)(async ({ page, service, visitor }) => {
        service.set(weather);
        await visitor.open(path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await act?.(page);
        await shown(page).waitFor();
        expect(await look(page, `${name}-${state}`)).toEqual([]);
      });
    },
  );

  it.concurrent.each([
    { name: "not-a-member", path: `/o/${"w".repeat(100)}/members`, heading: /You are not in an organization called/ },
    { name: "not-found", path: "/nowhere", heading: "There is nothing at this address" },
    { name: "not-found-in-organization", path: "/o/team-1/nowhere", heading: "There is nothing at this address" },
    { name: "patterns", path: "/patterns", heading: "Patterns" },
  ])("$name looks right", async ({ name, path, heading }) => {
    await withOwner(async ({ page, service }) => {
      service.set({});
      await page.goto(`${world.base}${path}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      expect(await look(page, `${name}-filled`)).toEqual([]);
    });
  });
});

it("no page was complained about by the browser", () => {
  expect(seats.flatMap(({ visitor }) => visitor.complaints)).toEqual([]);
});

interface Places {
  heading: { x: number; y: number; height: number };
  /** Where the first row, or what stands in for it, begins. */
  row: number;
}

async function placesOf(page: Page): Promise<Places> {
  return page.evaluate<Places>(`(() => {
    const { x, y, height } = document.querySelector("h1").getBoundingClientRect();
    const row = document.querySelector("tbody[role=rowgroup] > tr")?.getBoundingClientRect().top ?? 0;
    return { heading: { x, y, height }, row };
  })()`);
}

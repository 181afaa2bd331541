import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConsoleStack, START_MS, startConsoleStack } from "./console-stack.ts";

let world: ConsoleStack;

beforeAll(async () => {
  world = await startConsoleStack();
}, START_MS);
afterAll(() => world?.stop());

/** Does what the page says is next, and knows nothing else: presses the one filled button that can be pressed. */
it("leads a new person from nothing to the first answer", async () => {
  const visitor = await world.newVisitor();
  const { page } = visitor;
  const person = world.googler("new@first-run.example");
  await page.goto(world.base);
  await page.getByRole("link", { name: "Continue with Google" }).click();
  await page.getByRole("button", { name: person, exact: true }).click();
  // In no organization yet, so the page asks for one.
  await page.getByLabel("Name of the organization").fill("First run");
  await page.getByRole("button", { name: "Create organization" }).click();

  await page.getByRole("link", { name: "Set up your first source" }).click();
  await page.getByRole("heading", { name: "Set up your first source", level: 1 }).waitFor();
  const pressed: string[] = [];
  for (let step = 0; step < 8; step += 1) {
    const current = page.locator('li[aria-current="step"]');
    const next = current.locator("button.bg-action");
    const finished = page.getByRole("link", { name: /^Go to / });
    await next.or(finished).first().waitFor();
    if (await finished.isVisible()) break;
    const name = await next.innerText();
    pressed.push(name);
    await next.click();
    await expect
      .poll(async () => (await finished.isVisible()) || (await next.innerText().catch(() => name)) !== name, {
        timeout: 20_000,
      })
      .toBe(true);
  }
  expect(pressed).toEqual(["Create database", "Load the sample", "Expose handbook", "Ask", "Finish"]);
  await page.getByRole("link", { name: "Go to handbook" }).click();
  await page.getByRole("heading", { name: "handbook", level: 1 }).waitFor();

  // What the page claims is so: the organization has an exposed source that was asked and has answered.
  const { body } = await visitor.fetchJson("/api/v1/session/token", { method: "POST", body: "{}" });
  const headers = { authorization: `Bearer ${String(body.token)}` };
  const activity = await visitor.fetchJson("/api/wf/activity?type=data_sources", { method: "GET", headers });
  expect(activity.body.items).toMatchObject([{ source_id: "db_handbook", outcome: "ok", hits: 3 }]);
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { ROOT } from "@svc/dev";
import type { Page } from "playwright-core";

const DIRECTORY =
  process.env["SVC_SCREENSHOTS"] ?? join(process.env["SVC_DEV_DIR"] ?? join(ROOT, ".dev"), "screenshots/console");
const HEIGHT = 900;
const WIDTH = 1_280;
/** Beside the one at which everything else is looked at. */
const OTHER_WIDTHS = [1_920, 768, 375];
const PICTURED = 375;
const ABOVE = "[role=dialog], [role=alertdialog], [role=menu]";
/** Catch the keyboard where a menu ends and send it on; nobody rests on them. */
const FOCUS_GUARDS = "[data-base-ui-focus-guard]";

/**
 * What axe finds fault with in light and dark, and the widths at which the page scrolls sideways. Makes pictures for
 * people to look at, and leaves the page as it was.
 */
export async function look(page: Page, name: string): Promise<string[]> {
  mkdirSync(DIRECTORY, { recursive: true });
  const picture = async (of: string): Promise<void> =>
    void (await page.screenshot({ path: join(DIRECTORY, `${name}-${of}.png`), fullPage: await isPicturedWhole(page) }));
  // Off what was pressed last, whose tooltip would open.
  await page.mouse.move(0, 0);
  const faults = [...(await findFaults(page)), ...(await findOverflow(page, WIDTH))];
  await picture(`${WIDTH}-light`);
  await page.emulateMedia({ colorScheme: "dark" });
  faults.push(...(await findFaults(page)));
  await picture(`${WIDTH}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
  for (const width of OTHER_WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    faults.push(...(await findOverflow(page, width)));
    if (width === PICTURED) await picture(`${width}-light`);
  }
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  return faults;
}

/** Whatever the page shows from now on can be looked at. */
export async function prepareToLook(page: Page): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  // Nothing moves, so that nothing is caught on its way.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  // To send axe to the page for each look, as the builder does, takes longer than to run it.
  await page.addInitScript(String(new AxeBuilder({ page })["script"]()));
}

type AxeResults = Pick<Awaited<ReturnType<AxeBuilder["analyze"]>>, "violations" | "passes">;

async function findFaults(page: Page): Promise<string[]> {
  const options = {
    resultTypes: ["violations"],
    preload: false,
    // A menu belongs to its button, and to no part of the page.
    ...((await page.getByRole("menu").isVisible()) && { rules: { region: { enabled: false } } }),
  };
  const context = { exclude: [[FOCUS_GUARDS]] };
  const { violations, passes } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`,
  );
  if (!passes.some(({ id }) => id === "color-contrast")) return ["axe found no text to look at"];
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(" ")}`);
}

/** An open menu follows its button a moment after the page has another width. */
const SETTLED_MS = 1_000;

async function findOverflow(page: Page, width: number): Promise<string[]> {
  const excess = (): Promise<number> => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  const lookedAt = Date.now();
  while ((await excess()) > 0) {
    if (Date.now() - lookedAt > SETTLED_MS) return [`scrolls sideways by ${await excess()} at a width of ${width}`];
  }
  return [];
}

/** What has many screens, or lies above the page, is pictured as one sees it. */
function isPicturedWhole(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`
    document.documentElement.scrollHeight < ${4 * HEIGHT} && document.querySelector("${ABOVE}") === null`);
}

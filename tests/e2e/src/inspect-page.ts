import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Set to a directory to look at the pages afterwards. */
const SCREENSHOTS = process.env["SVC_SCREENSHOTS"];
const WIDTHS = [375, 1_280, 1_440];

/** Nothing that axe finds fault with, light and dark, and room for all of it on a phone and a screen. */
export async function inspectPage(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await new AxeBuilder({ page }).analyze();
    expect(passes.map(({ id }) => id)).toContain("color-contrast");
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 500 ? 720 : 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      const path = `${name}-${width}-${colorScheme}.png`;
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, path), fullPage: true });
    }
  }
}

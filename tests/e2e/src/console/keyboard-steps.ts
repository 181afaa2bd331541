import type { Page } from "playwright-core";
import { expect } from "vitest";

interface Focused {
  /** What a screen reader would call it, as far as that is in the page. */
  name: string;
  /** Whether somebody who looks sees that the keyboard is there. */
  isShown: boolean;
}

export async function focused(page: Page): Promise<Focused> {
  return page.evaluate<Focused>(`(() => {
    const element = document.activeElement;
    const label = element.labels?.[0];
    // A row is outlined as a whole, and what a label stands for on the label.
    const styles = [getComputedStyle(element), getComputedStyle(element, "::after"), label && getComputedStyle(label)];
    const isShown = styles.some((style) => style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
    const name = element.getAttribute("aria-label") ?? label?.textContent ?? element.textContent;
    return { name: name.trim(), isShown };
  })()`);
}

/** More than any page has stops. */
const MOST_STOPS = 60;

/** Goes on by Tab until the keyboard is at what has this name; every stop on the way can be seen. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const stops: string[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press("Tab");
    // At the end of a dialog the keyboard is for a moment on a guard that sends it back to the beginning.
    await expect.poll(async () => (await focused(page)).isShown, { timeout: 5_000 }).toBe(true);
    const stop = await focused(page);
    if (typeof name === "string" ? stop.name === name : name.test(stop.name)) return;
    stops.push(stop.name);
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to: ${stops.join(" | ")}`);
}

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

export async function focusedName(page: Page): Promise<string> {
  return (await focused(page)).name;
}

import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a condition instead of for a time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs = 10_000,
  what = "the condition",
): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`${what} did not come true within ${limitMs} ms`);
    await sleep(20);
  }
}

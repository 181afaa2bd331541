import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildConsole } from "@svc/dev";
import type { CDPSession, Page } from "playwright-core";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { type Bench, type BenchCase, median, toCase } from "./harness.ts";

/** Budgets, since there is no engine underneath whose cost could be taken away from ours. */
const SCRIPT_KB = 180;
const PAINT_MS = 1_000;
/** What comes within it is felt as an answer to one's own press. */
const ANSWER_MS = 100;

const PAINTS = 9;
const SLOWER = 4;
export const ROWS = 10_000;
const PRESSES = 100;

export const consoleBench: Bench = {
  summary: "What the console loads, how soon it shows something, how it scrolls: each against its budget",
  run: async (report) => {
    const site = await buildConsole();
    const world = await openConsoleWorld(site, ROWS);
    try {
      return [measureScripts(site, report), await measurePaint(world, report), await measureScrolling(world, report)];
    } finally {
      await world.close();
    }
  },
};

/** What the page names and so loads before anything else; parts of pages, charts and the palette come later. */
function measureScripts(site: string, report: (line: string) => void): BenchCase {
  const page = readFileSync(join(site, "index.html"), "utf8");
  const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? "");
  const kilobytes = scripts.reduce((sum, path) => sum + gzipSync(readFileSync(join(site, path))).length / 1_000, 0);
  report(`scripts: ${scripts.length} files, ${kilobytes.toFixed(1)} kB gzip`);
  return toCase("initial JavaScript", "kB gzip", kilobytes, SCRIPT_KB, { atMost: 1 });
}

/** From the start of the navigation to the frame in which the list of sources is seen, with nothing in the cache. */
async function measurePaint(
  { page, session, sources }: ConsoleWorld,
  report: (line: string) => void,
): Promise<BenchCase> {
  const times: number[] = [];
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  for (let round = 1; round <= PAINTS; round += 1) {
    await page.goto(sources, { waitUntil: "commit" });
    times.push(await page.evaluate<number>(UNTIL_LIST_IS_PAINTED));
    report(`paint ${round}/${PAINTS}: ${Math.round(times.at(-1) ?? 0)} ms, CPU ${SLOWER} times slower`);
  }
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await session.send("Network.setCacheDisabled", { cacheDisabled: false });
  return toCase("first meaningful paint", "ms", median(times), PAINT_MS, { atMost: 1 });
}

/** A frame is painted after the callback that comes before it; the next one tells that it is done. */
const UNTIL_LIST_IS_PAINTED = `new Promise((resolve) => {
  const look = () => {
    const row = document.querySelector("main table a");
    if (row) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Presses that a person would feel as lost: what they ask for is not on the screen within a tenth of a second. */
async function measureScrolling(world: ConsoleWorld, report: (line: string) => void): Promise<BenchCase> {
  const { page, session, activity } = world;
  await page.goto(activity);
  await loadAllRows(page, report);
  await page.locator(SCROLLER).focus();
  await page.evaluate(`document.querySelector('${SCROLLER}').scrollTop = 0`);
  const delays: number[] = [];
  for (let press = 1; press <= PRESSES; press += 1) delays.push(await timePress(session, page));
  const late = delays.filter((delay) => delay > ANSWER_MS).length;
  const sorted = delays.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  report(`scrolling ${ROWS} rows: ${late} of ${PRESSES} presses later than ${ANSWER_MS} ms, p95 ${Math.round(p95)} ms`);
  return toCase("scrolling 10,000 rows, p95 from press to paint", "ms", p95, ANSWER_MS, { atMost: 1 });
}

const SCROLLER = "[role=region][aria-label=Activity]";

async function loadAllRows(page: Page, report: (line: string) => void): Promise<void> {
  const shown = page.getByText(/^(Showing the first|All) [1-9]/);
  for (;;) {
    const text = await shown.innerText({ timeout: 30_000 });
    if (text.startsWith("All")) return report(`scrolling: ${text}`);
    await page.evaluate(`document.querySelector('${SCROLLER}').scrollTop = 1e9`);
    await page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(text)})`);
  }
}

async function timePress(session: CDPSession, page: Page): Promise<number> {
  await page.evaluate(`window.pressed = new Promise((resolve) => {
    const scroller = document.querySelector('${SCROLLER}');
    scroller.addEventListener("keydown", ({ timeStamp }) => {
      const before = scroller.scrollTop;
      const look = () => scroller.scrollTop !== before && scroller.querySelector("tbody tr[aria-rowindex]")
        ? setTimeout(() => resolve(performance.now() - timeStamp)) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    }, { once: true });
  })`);
  const key = { key: "PageDown", code: "PageDown", windowsVirtualKeyCode: 34 };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  return page.evaluate<number>("window.pressed");
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { buildConsole } from "@svc/dev";
import type { Page } from "playwright-core";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";
import { type Bench, type BenchCase, median, toCase } from "./harness.ts";

/** Budgets, since there is no engine underneath whose cost could be taken away from ours. */
const SCRIPT_KB = 180;
const PAINT_MS = 1_000;
/** What the same browser needs for as many plain rows is the floor; ours are drawn while one scrolls. */
const OVER_PLAIN_ROWS = 2;

const PAINTS = 9;
const SLOWER = 4;
export const ROWS = 10_000;
const TURNS = 100;
const LOST_MS = 1_000;
const ROW_PX = 40;
const TURN_PX = 10 * ROW_PX;

export const consoleBench: Bench = {
  summary: "What the console loads, how soon it shows something, how it scrolls: each against its budget",
  run: async (report) => {
    const site = await buildConsole();
    const world = await openConsoleWorld(site, ROWS);
    try {
      return [
        measureScripts(site, report),
        await measurePaint(world, report),
        ...(await measureScrolling(world, report)),
      ];
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

/** How long a turn of the wheel waits for its paint, against a page that is nothing but rows; and whether any is lost. */
async function measureScrolling(
  { page, activity }: ConsoleWorld,
  report: (line: string) => void,
): Promise<BenchCase[]> {
  await page.goto("about:blank");
  await page.setContent(PLAIN_ROWS);
  const floor = await timeTurns(page, "plain rows", report);
  await page.goto(activity);
  await loadAllRows(page, report);
  const ours = await timeTurns(page, "activity", report);
  const lost = ours.filter((wait) => wait >= LOST_MS).length;
  return [
    toCase("scrolling 10,000 rows, p95 from wheel to paint", "ms", p95(ours), p95(floor), { atMost: OVER_PLAIN_ROWS }),
    toCase("scrolling 10,000 rows, turns of the wheel lost", "turns", lost, TURNS, { atMost: 0 }),
  ];
}

const SCROLLER = "[role=region][aria-label=Activity]";
const PLAIN_ROWS = `<div role="region" aria-label="Activity" style="height: 70vh; overflow-y: auto">${Array.from(
  { length: ROWS },
  (_, n) => `<div style="height: ${ROW_PX}px">${n}</div>`,
).join("")}</div>`;

async function timeTurns(page: Page, what: string, report: (line: string) => void): Promise<number[]> {
  await page.evaluate(`document.querySelector('${SCROLLER}').scrollTop = 0`);
  await page.locator(SCROLLER).hover();
  const waits: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) waits.push(await timeTurn(page));
  report(`scrolling ${ROWS} rows, ${what}: median ${Math.round(median(waits))} ms, p95 ${Math.round(p95(waits))} ms`);
  return waits;
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}

async function loadAllRows(page: Page, report: (line: string) => void): Promise<void> {
  const shown = page.getByText(/^(Showing the first|All) [1-9]/);
  for (;;) {
    const text = await shown.innerText({ timeout: 30_000 });
    if (text.startsWith("All")) return report(`scrolling: ${text}`);
    await page.evaluate(`document.querySelector('${SCROLLER}').scrollTop = 1e9`);
    // Not by a function in the page: its policy allows no text to be run as one.
    while ((await shown.innerText()) === text) await delay(20);
  }
}

/** One turn of the wheel, until the rows that it leads to are painted. */
async function timeTurn(page: Page): Promise<number> {
  // Not its value, for which it would wait before the wheel is turned.
  await page.evaluate(`void (window.turned = new Promise((resolve) => {
    const scroller = document.querySelector('${SCROLLER}');
    const before = scroller.scrollTop;
    setTimeout(() => resolve(${LOST_MS}), ${LOST_MS});
    scroller.addEventListener("wheel", ({ timeStamp }) => {
      const look = () => scroller.scrollTop !== before
        ? setTimeout(() => resolve(performance.now() - timeStamp)) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    }, { once: true });
  }))`);
  await page.mouse.wheel(0, TURN_PX);
  return page.evaluate<number>("window.turned");
}

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The first is Chromium without its windows and menus. It shows the same pages for a third of the CPU. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env["SVC_CHROMIUM"] ?? INSTALLED.find((path) => existsSync(path));
  if (!executablePath) throw new Error("no browser to test with; run tools/setup, or name a Chromium in SVC_CHROMIUM");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
}

import { existsSync } from "node:fs";

/** The first is Chromium without its windows and menus. It shows the same pages for a third of the CPU. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** How tests and benches start their browser. */
export function chromiumOptions(): { executablePath: string; args: string[] } {
  const executablePath = process.env["SVC_CHROMIUM"] ?? INSTALLED.find((path) => existsSync(path));
  if (!executablePath) throw new Error("no browser to test with; run tools/setup, or name a Chromium in SVC_CHROMIUM");
  return { executablePath, args: ["--no-sandbox", "--disable-background-networking"] };
}

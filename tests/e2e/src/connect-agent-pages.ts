import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import type { ConnectStack } from "./connect-agent-stack.ts";
import type { Visitor } from "./sign-in-stack.ts";

/** Set to a directory to look at the pages afterwards. */
const SCREENSHOTS = process.env["SVC_SCREENSHOTS"];
const WIDTHS = [375, 1_280];
const SCOPES_IN_WORDS = {
  "data:read": "Search the data sources that your organization shows to agents, as far as your role allows",
  "notifications:read": "Read your notifications",
  "notifications:write": "Mark your notifications as read",
  "apps:read": "See your organization's apps, their deployments, checks and tickets",
};

interface PagesOptions {
  world: ConnectStack;
  /** A person in the first of the organizations, and one in all of them. */
  oneOrg: string;
  allOrgs: string;
  orgs: string[];
}

/** What a person sees before an agent is let in. */
export function describeConsentPages(read: () => PagesOptions): void {
  describe("the page on which a person decides", () => {
    let visitor: Visitor | undefined;
    afterEach(() => visitor?.context.close());

    async function open(email: string, scope?: string): Promise<Page> {
      const { world } = read();
      const address = await world.startAgent("Handbook agent").askPerson();
      if (scope) address.searchParams.set("scope", scope);
      visitor = await world.openConsent(address, email);
      return visitor.page;
    }

    it("names the agent, where it leads back to, who is asked, the organization and each scope in plain words", async () => {
      const { oneOrg, orgs } = read();
      const page = await open(oneOrg, Object.keys(SCOPES_IN_WORDS).join(" "));
      expect(await page.locator("h1").innerText()).toBe("Connect Handbook agent?");
      expect(await factsOf(page)).toEqual({
        "Leads back to": expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        "You are": oneOrg,
        Organization: orgs[0],
      });
      const allowed = page.getByRole("list", { name: "It will be able to" });
      expect(await allowed.getByRole("listitem").allInnerTexts()).toEqual(Object.values(SCOPES_IN_WORDS));
      expect(await page.getByRole("note").innerText()).toContain("runs on your own computer");
      await inspect(page, "consent");
    });

    it("lets who is in several organizations choose one, with none chosen beforehand", async () => {
      const { allOrgs, orgs } = read();
      const page = await open(allOrgs);
      const choice = page.getByRole("radiogroup", { name: "In which organization?" });
      const offered = await choice.locator("label span:first-of-type").allInnerTexts();
      expect(offered.toSorted()).toEqual(orgs);
      expect(await choice.locator(":checked").count()).toBe(0);
      expect(await page.getByRole("listitem").allInnerTexts()).toEqual([SCOPES_IN_WORDS["data:read"]]);
      await inspect(page, "consent-organizations");

      await page.evaluate("document.forms[0].noValidate = true");
      await page.getByRole("button", { name: "Allow" }).click();
      expect(await page.getByRole("alert").innerText()).toContain("Choose the organization");
      await inspect(page, "consent-none-chosen");
    });

    it("is not shown for an agent that nobody knows, but one that says so and leads nowhere", async () => {
      const { world } = read();
      visitor = await world.newVisitor();
      const query = new URLSearchParams({ client_id: "dyn_unknown", redirect_uri: "http://127.0.0.1/callback" });
      const response = await visitor.page.goto(`${world.base}/oauth/authorize?${query.toString()}`);
      expect(response?.status()).toBe(400);
      expect(await visitor.page.locator("h1").innerText()).toBe("This agent cannot be connected");
      expect(await visitor.page.locator("a").count()).toBe(0);
      await inspect(visitor.page, "consent-refused");
    });
  });
}

async function factsOf(page: Page): Promise<Record<string, string>> {
  const names = await page.locator("dl dt").allInnerTexts();
  const values = await page.locator("dl dd").allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}

/** Nothing that axe finds fault with, light and dark, and room for all of it on a phone and a screen. */
async function inspect(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page });
    // In the dark only the colours are others, and to look at all again takes seconds.
    if (colorScheme === "dark") axe.withRules("color-contrast");
    const { violations, passes } = await axe.analyze();
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

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import type { ConnectStack } from "./connect-agent-stack.ts";
import { inspectPage } from "./inspect-page.ts";
import type { Visitor } from "./sign-in-stack.ts";

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
      await inspectPage(page, "consent");
    });

    it("lets who is in several organizations choose one, with none chosen beforehand", async () => {
      const { allOrgs, orgs } = read();
      const page = await open(allOrgs);
      const choice = page.getByRole("radiogroup", { name: "In which organization?" });
      const offered = await choice.locator("label span:first-of-type").allInnerTexts();
      expect(offered.toSorted()).toEqual(orgs);
      expect(await choice.locator(":checked").count()).toBe(0);
      expect(await page.getByRole("listitem").allInnerTexts()).toEqual([SCOPES_IN_WORDS["data:read"]]);
      await inspectPage(page, "consent-organizations");

      await page.evaluate("document.forms[0].noValidate = true");
      await page.getByRole("button", { name: "Allow" }).click();
      expect(await page.getByRole("alert").innerText()).toContain("Choose the organization");
      await inspectPage(page, "consent-none-chosen");
    });

    it("is not shown for an agent that nobody knows, but one that says so and leads nowhere", async () => {
      const { world } = read();
      visitor = await world.newVisitor();
      const query = new URLSearchParams({ client_id: "dyn_unknown", redirect_uri: "http://127.0.0.1/callback" });
      const response = await visitor.page.goto(`${world.base}/oauth/authorize?${query.toString()}`);
      expect(response?.status()).toBe(400);
      expect(await visitor.page.locator("h1").innerText()).toBe("This agent cannot be connected");
      expect(await visitor.page.locator("a").count()).toBe(0);
      await inspectPage(visitor.page, "consent-refused");
    });
  });
}

async function factsOf(page: Page): Promise<Record<string, string>> {
  const names = await page.locator("dl dt").allInnerTexts();
  const values = await page.locator("dl dd").allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}

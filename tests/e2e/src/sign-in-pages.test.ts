import { createServer } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectPage } from "./inspect-page.ts";
import { type SignInStack, startSignInStack, type Visitor } from "./sign-in-stack.ts";

const PROBLEMS = [
  "state-lost",
  "provider-refused",
  "provider-unavailable",
  "unknown-provider",
  "tenant-not-allowed",
  "no-address",
  "account-exists",
  "redirect-not-allowed",
  "from-elsewhere",
  "throttled",
  "bad-request",
  "unavailable",
  "internal",
];
let world: SignInStack;

beforeAll(async () => {
  world = await startSignInStack();
  world.googler("ada.lovelace@analytical-engines.example", { email_verified: false });
  world.googler("eve@analytical-engines.example");
});
afterAll(() => world?.stop());

type Step = (visitor: Visitor) => Promise<unknown>;

/** How a person gets to see each page. */
const pages: Record<string, Step> = {
  "sign-in": ({ page }) => page.goto(`${world.base}/login`),
  "sign-in-elsewhere": ({ page }) => page.goto(`${world.base}/login?redirect_to=${world.app}/`),
  "no-organization": ({ signIn }) => signIn("Google", "eve@analytical-engines.example"),
  "no-organization-unproven": ({ signIn }) => signIn("Google", "ada.lovelace@analytical-engines.example"),
  "no-organization-problem": async ({ page, signIn }) => {
    await signIn("Google", "eve@analytical-engines.example");
    await page.getByLabel("Name of the organization").fill("   ");
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("alert").waitFor();
  },
  "signed-out": ({ page }) => page.goto(`${world.base}/auth/signed-out`),
  ...Object.fromEntries(
    PROBLEMS.map((kind): [string, Step] => [
      `error-${kind}`,
      ({ page }) => page.goto(`${world.base}/auth/problem/${kind}`),
    ]),
  ),
};

describe.each(Object.entries(pages))("the page %s", (name, open) => {
  let visitor: Visitor;
  const errors: string[] = [];

  beforeAll(async () => {
    visitor = await world.newVisitor();
    visitor.page.on("console", (message) => {
      if (/Content Security Policy|Refused/i.test(message.text())) errors.push(message.text());
    });
    await open(visitor);
  });
  afterAll(() => visitor?.context.close());

  it("has nothing that axe finds fault with, light and dark, and fits a phone and a screen", async () => {
    const { page, policies } = visitor;
    await inspectPage(page, name);
    const shown = policies.get(page.url()) ?? "";
    expect(shown).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'/);
    for (const policy of policies.values()) {
      expect(policy).not.toContain("unsafe");
      expect(policy).toContain("frame-ancestors 'none'");
    }
    expect(errors).toEqual([]);
  });

  it("can be used with the keyboard alone, and shows where the focus is", async () => {
    const { page } = visitor;
    const controls = await page.locator("a[href], button, input:not([type=hidden])").count();
    await page.locator("body").click({ position: { x: 2, y: 2 } });
    for (let at = 0; at < controls; at += 1) {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect([at, outline]).toEqual([at, "solid"]);
    }
  });
});

it("a provider that is down has a page that says so, and is tried again", async () => {
  // Nothing listens here, and nothing will while the test runs.
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  taken.close();
  await once(taken, "close");
  await world.restart({ GOOGLE_ISSUER: `http://127.0.0.1:${address.port}` });
  const { page, context } = await world.newVisitor();
  const response = await page.goto(`${world.base}/login?provider=google`);
  expect([response?.status(), await page.locator("h1").innerText()]).toEqual([503, "Your provider does not answer"]);
  await world.restart();
  await page.reload();
  await page.getByRole("heading", { name: "Choose an account" }).waitFor();
  await context.close();
});

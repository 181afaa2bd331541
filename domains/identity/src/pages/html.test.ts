import { describe, expect, it } from "vitest";
import { REFUSAL_KINDS } from "../sign-in/refusal.ts";
import { html } from "./html.ts";
import { contentSecurityPolicy, renderPage, STYLESHEET } from "./layout.ts";
import { noOrganizationPage } from "./no-organization-page.ts";
import { problemPage, PROBLEMS } from "./problem-page.ts";
import { signInPage } from "./sign-in-page.ts";
import { signedOutPage } from "./signed-out-page.ts";

const EVIL = `"><script>alert('x')</script>&`;
const ESCAPED = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;";

describe("markup", () => {
  it("escapes every text and keeps what is markup already", () => {
    expect(html`<a title="${EVIL}">${EVIL}</a>`.text).toBe(`<a title="${ESCAPED}">${ESCAPED}</a>`);
    expect(html`<p>${html`<b>${"<"}</b>`}${[html`<i>1</i>`, html`<i>2</i>`]}</p>`.text).toBe(
      "<p><b>&lt;</b><i>1</i><i>2</i></p>",
    );
    expect(html`<p>${undefined}${false}</p>`.text).toBe("<p></p>");
  });
});

describe("a page", () => {
  const redirectTo = `https://app.example.com/${encodeURIComponent(EVIL)}?x='"<`;
  const pages = [
    signInPage({ providers: [], redirectTo: undefined, continuesAt: undefined }),
    signInPage({
      providers: [{ name: "google", origin: "https://accounts.google.com" }],
      redirectTo,
      continuesAt: EVIL,
    }),
    noOrganizationPage({ person: { email: EVIL, isVouched: true }, redirectTo, problem: EVIL, name: EVIL }),
    noOrganizationPage({ person: { email: EVIL, isVouched: false }, redirectTo }),
    signedOutPage(),
    ...REFUSAL_KINDS.map((kind) => problemPage({ kind, redirectTo, requestId: EVIL })),
  ];

  it.each(pages.map((page) => [page.title, page] as const))(
    "(%s) holds no script, no style and no text unescaped",
    (_title, page) => {
      const text = renderPage(page);
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
      expect(text).toMatch(/<html lang="en">/);
      expect(text).toMatch(/<title>[^<]+ · svc<\/title>/);
      expect(text.match(/<main/g)).toHaveLength(1);
      expect(text.match(/<h1/g)).toHaveLength(1);
    },
  );

  it("says for every refusal what to do next, with a status that is one", () => {
    for (const { status, text } of Object.values(PROBLEMS)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toMatch(/\b(try again|start|choose|sign in|wait|ask)\b/i);
    }
  });

  it("has a policy without exceptions for inline code", () => {
    expect(contentSecurityPolicy(["https://accounts.google.com"])).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self' https://accounts.google.com; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(STYLESHEET).not.toMatch(/url\(|@import/);
  });
});

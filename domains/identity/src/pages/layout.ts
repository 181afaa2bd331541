import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Html, html } from "./html.ts";

export const STYLESHEET = readFileSync(new URL("../../assets/sign-in.css", import.meta.url), "utf8");
/** The digest makes another address of another text, so that browsers may keep it for ever. */
const STYLESHEET_URL = `/auth/assets/sign-in.css?v=${createHash("sha256").update(STYLESHEET).digest("hex").slice(0, 12)}`;

export interface Page {
  title: string;
  main: Html;
  footer?: Html;
  /** Other origins that a form of this page may lead to. */
  formTargets?: string[];
}

export function renderPage({ title, main, footer }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · svc</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLESHEET_URL}" />
      </head>
      <body>
        <header class="brand">svc</header>
        <main class="card">${main}</main>
        ${footer && html`<footer class="footer">${footer}</footer>`}
      </body>
    </html> `.text;
}

/** No script at all and no style but the one file: markup that slipped in could do nothing. */
export function contentSecurityPolicy(formTargets: string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["form-action 'self'", ...formTargets].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** The address of the sign-in page that leads on to the same place. */
export function loginAddress(redirectTo: string | undefined, provider?: string): string {
  const query = new URLSearchParams({ ...(provider && { provider }), ...(redirectTo && { redirect_to: redirectTo }) });
  return query.size > 0 ? `/login?${query.toString()}` : "/login";
}

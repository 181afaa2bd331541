import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import files from "@fastify/static";
import type { Server } from "@svc/platform/http";

/** Nothing from elsewhere, nothing inline: markup that slipped into a page could neither run nor call home. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const PAGE_HEADERS = {
  "content-security-policy": POLICY,
  // Without any referrer a browser does not say either which page a form is of, and signing out needs to know.
  "referrer-policy": "same-origin",
};

/** The addresses that are pages of the console. What is below them is the router's business in the browser. */
const PAGES = ["/", "/o/*", "/signed-in", "/patterns"];

/** The console's built files, from the same origin as the API, so that the session's cookie is its own. */
export async function serveConsole(app: Server, directory: string): Promise<void> {
  const root = resolve(directory);
  if (!existsSync(join(root, "index.html"))) {
    throw new Error(
      `CONSOLE_DIRECTORY ${root} has no index.html. Build the console first: pnpm --filter @svc/console build`,
    );
  }
  await app.register(files, {
    root,
    prefix: "/",
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    schemaHide: true,
    // Names of files in assets/ change with their content; all others are asked for again.
    setHeaders: (reply, path) => {
      const isNamedByContent = path.includes("/assets/");
      void reply.header("cache-control", isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  const hidden = { schema: { hide: true } };
  for (const page of PAGES) {
    app.get(page, hidden, async (_request, reply) => reply.headers(PAGE_HEADERS).sendFile("index.html"));
  }
  // Whoever mistyped an address is told so in words, with a way on; programs get the problem that they can read.
  app.get("/*", hidden, async ({ headers, url }, reply) => {
    const isForPeople = headers.accept?.includes("text/html") && !url.startsWith("/api/");
    return isForPeople ? reply.code(404).headers(PAGE_HEADERS).sendFile("index.html") : reply.callNotFound();
  });
}

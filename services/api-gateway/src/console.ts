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
  for (const page of PAGES) {
    app.get(page, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .headers({
          "content-security-policy": POLICY,
          // Without any referrer a browser does not say either which page a form is of, and signing out needs to know.
          "referrer-policy": "same-origin",
        })
        .sendFile("index.html"),
    );
  }
}

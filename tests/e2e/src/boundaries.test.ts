import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ROOT } from "@svc/dev";

/** What must never be written, where, and the words by which `pnpm check` refuses it. */
const FORBIDDEN: [what: string, file: string, code: string, refusal: RegExp][] = [
  [
    "a domain's queries from a service",
    "services/api-gateway/src",
    `import "@svc/identity/src/queries/orgs.ts";`,
    /used through its index/,
  ],
  [
    "a domain's queries by path",
    "services/api-gateway/src",
    `import "../../../domains/identity/src/queries/orgs.ts";`,
    /used through its index/,
  ],
  ["a domain from another", "domains/data-sources/src", `import "@svc/identity";`, /does not import another/],
  [
    "notifications from maintenance",
    "domains/maintenance/src",
    `import "@svc/notifications";`,
    /apps and no other domain/,
  ],
  ["Fastify below routes.ts", "domains/identity/src", `import "fastify";`, /framework stays in routes/],
  ["a database in the MCP server", "services/mcp-server/src", `import "@svc/platform/db";`, /holds no database/],
  ["pg in the MCP server", "services/mcp-server/src", `import "pg";`, /holds no database/],
  ["a domain in the platform", "platform/src/db", `import "@svc/identity";`, /nothing above it/],
  ["the platform in the contract", "contract/src", `import "@svc/platform/db";`, /zod only/],
  ["the platform in a client", "clients/http/src", `import "@svc/platform/config";`, /the HTTP client alone/],
];

let written: string | undefined;

afterEach(async () => {
  if (written) await rm(written, { force: true });
});

async function lint(folder: string, code: string): Promise<{ failed: boolean; output: string }> {
  const file = join(ROOT, folder, `forbidden-${process.pid}.ts`);
  written = file;
  await writeFile(file, `${code}\n`);
  return new Promise((resolve) => {
    execFile(join(ROOT, "node_modules/.bin/oxlint"), [file], { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

describe("the rules of who may import whom", () => {
  it.each(FORBIDDEN)("refuse %s", async (_what, folder, code, refusal) => {
    const { failed, output } = await lint(folder, code);
    expect(failed).toBe(true);
    expect(output).toMatch(refusal);
  });

  it("let maintenance import apps", async () => {
    const { failed } = await lint("domains/maintenance/src", `import "@svc/apps";`);
    expect(failed).toBe(false);
  });
});

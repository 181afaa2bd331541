import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
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
  ["the platform in the console", "clients/console/src", `import "@svc/platform/config";`, /the HTTP client alone/],
  [
    "schemas in the console",
    "clients/console/src",
    `import { problemSchema } from "@svc/contract"; export const schema = problemSchema;`,
    /zod into the browser/,
  ],
];

const ALLOWED = ["domains/maintenance/src", `import "@svc/apps";`] as const;

/** What the linter says of each file, by folder and code. One run for all: it reads the whole repository each time. */
const said = new Map<string, string>();
const keyOf = (folder: string, code: string): string => `${folder}: ${code}`;

beforeAll(async () => {
  const cases = [...FORBIDDEN.map(([, folder, code]) => [folder, code] as const), ALLOWED];
  const files = cases.map(([folder, code], n) => {
    said.set(keyOf(folder, code), "");
    return { folder, code, path: join(folder, `forbidden-${process.pid}-${n}.ts`) };
  });
  try {
    await Promise.all(files.map(({ path, code }) => writeFile(join(ROOT, path), `${code}\n`)));
    for (const { filename, message, help } of await lint(files.map(({ path }) => path))) {
      const file = files.find(({ path }) => path === filename);
      if (!file) throw new Error(`the linter spoke of ${filename}, which it was not asked about`);
      const key = keyOf(file.folder, file.code);
      said.set(key, `${said.get(key)}${message} ${help ?? ""}\n`);
    }
  } finally {
    await Promise.all(files.map(({ path }) => rm(join(ROOT, path), { force: true })));
  }
});

interface Finding {
  filename: string;
  message: string;
  help?: string;
}

async function lint(paths: string[]): Promise<Finding[]> {
  const output = await new Promise<string>((resolve) => {
    execFile(join(ROOT, "node_modules/.bin/oxlint"), ["--format=json", ...paths], { cwd: ROOT }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: (Finding & { severity: string })[] };
  return diagnostics.filter(({ severity }) => severity === "error");
}

describe("the rules of who may import whom", () => {
  it.each(FORBIDDEN)("refuse %s", (_what, folder, code, refusal) => {
    expect(said.get(keyOf(folder, code))).toMatch(refusal);
  });

  it("let maintenance import apps", () => {
    expect(said.get(keyOf(...ALLOWED))).toBe("");
  });
});

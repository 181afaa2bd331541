import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@svc/dev";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "svc-typed-"));
  cpSync(join(ROOT, "contract/src"), join(directory, "contract"), { recursive: true });
  symlinkSync(join(ROOT, "contract/node_modules"), join(directory, "node_modules"));
  const compilerOptions = {
    noEmit: true,
    composite: false,
    emitDeclarationOnly: false,
    declaration: false,
    rootDir: "/",
    types: [join(ROOT, "clients/console/node_modules/vite/client")],
    paths: {
      "@svc/contract": [join(directory, "contract/index.ts")],
      "@svc/contract/plain": [join(directory, "contract/plain/index.ts")],
    },
  };
  const config = {
    extends: join(ROOT, "clients/console/tsconfig.json"),
    compilerOptions,
    include: [join(ROOT, "clients/console/src")],
    references: [],
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** What the compiler says of the console, with this contract in the place of ours. */
async function complaints(): Promise<string> {
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  return run(tsc, ["-p", directory], { cwd: ROOT }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

it("compiles with the contract as it is", async () => {
  expect(await complaints()).toBe("");
});

it.each([
  [
    "a source's id",
    "data-sources.ts",
    "source_id: z.string().max(50),\n  name",
    "public_id: z.string().max(50),\n  name",
  ],
  ["the time a token was last used", "api-tokens.ts", "last_used_at:", "used_at:"],
  ["the duration of a question", "activity.ts", "duration_ms: z.number()", "duration_ms: z.string()"],
])("does not compile when %s changes", async (_what, file, from, to) => {
  const path = join(directory, "contract", file);
  const before = readFileSync(path, "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  try {
    expect(await complaints()).toContain("clients/console/src");
  } finally {
    writeFileSync(path, before);
  }
});

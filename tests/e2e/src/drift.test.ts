import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { servicesUnderTest } from "@svc/platform/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "@svc/dev";

const TYPES = join(ROOT, "domains/identity/src/db-types.ts");
let original: string;

beforeAll(async () => {
  servicesUnderTest();
  original = await readFile(TYPES, "utf8");
});

afterAll(() => writeFile(TYPES, original));

function checkTypes(): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(join(ROOT, "tools/run"), [join(ROOT, "tools/db-types/src/main.ts"), "--check"], (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

it("finds generated types that are not what the migrations make, and says what to run", async () => {
  expect(await checkTypes()).toMatchObject({ failed: false });
  await writeFile(TYPES, original.replace("  slug: string;", "  slug: number;"));
  const { failed, output } = await checkTypes();
  expect(failed).toBe(true);
  expect(output).toContain("run: pnpm db:types");
});

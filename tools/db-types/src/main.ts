/*
 * Writes `src/db-types.ts` of every domain that has one, from a database that was migrated just now. With --check
 * it writes nothing and fails where a file does not say what the migrations make.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { appsMigrations } from "@svc/apps";
import { dataSourcesMigrations } from "@svc/data-sources";
import { identityMigrations } from "@svc/identity";
import { maintenanceMigrations } from "@svc/maintenance";
import { notificationsMigrations } from "@svc/notifications";
import { createMigratedDatabase } from "@svc/platform/testing";

const checkOnly = process.argv.includes("--check");
const sets = [
  identityMigrations,
  dataSourcesMigrations,
  appsMigrations,
  maintenanceMigrations,
  notificationsMigrations,
];
const codegen = join(dirname(createRequire(import.meta.url).resolve("kysely-codegen")), "cli", "bin.js");

const database = await createMigratedDatabase(sets);
let drifted = 0;
try {
  for (const { schema, directory } of sets) {
    const file = fileURLToPath(new URL("../src/db-types.ts", directory));
    if (!existsSync(file)) continue;
    const options = ["--dialect", "postgres", "--include-pattern", `${schema}.*`, "--exclude-pattern", "*.migrations*"];
    const mode = checkOnly ? ["--verify"] : [];
    try {
      execFileSync(process.execPath, [codegen, ...options, "--out-file", file, ...mode], {
        // The address by the environment: arguments can be read by everyone on the machine.
        env: { ...process.env, DATABASE_URL: database.url },
        stdio: ["ignore", "ignore", "pipe"],
      });
      process.stdout.write(`${schema}: ${checkOnly ? "as the migrations make it" : "written"}\n`);
    } catch (error) {
      drifted += 1;
      process.stderr.write(`${schema}: ${file} is not what the migrations make; run: pnpm db:types\n`);
      process.stderr.write(String((error as { stderr?: Buffer }).stderr ?? "").slice(0, 1_000));
    }
  }
} finally {
  await database.drop();
}
process.exitCode = drifted === 0 ? 0 : 1;

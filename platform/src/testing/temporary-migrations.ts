import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MigrationSet } from "../db/index.ts";

/** Migrations made up by a test: SQL by file name. */
export function temporaryMigrations(schema: string, files: Record<string, string>): MigrationSet {
  // Named by what is in it, so that directories do not pile up with every run.
  const name = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  const directory = join(tmpdir(), "svc-test-migrations", name);
  mkdirSync(directory, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  return { schema, directory: pathToFileURL(`${directory}/`) };
}

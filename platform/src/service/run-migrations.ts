import type { z } from "zod";
import { migrate } from "../db/index.ts";
import { readConfigOrExit } from "./read-config-or-exit.ts";

/** The life of a migration process: read settings, bring the database up to date, say what was done. */
export async function runMigrations<S extends z.ZodObject>(
  name: string,
  settings: S,
  plan: (config: z.infer<S>) => Parameters<typeof migrate>[0],
): Promise<void> {
  const { applied } = await migrate(plan(readConfigOrExit(name, settings)));
  const done = applied.length === 0 ? "nothing to do" : `applied ${applied.join(", ")}`;
  process.stdout.write(`${name}: ${done}\n`);
}

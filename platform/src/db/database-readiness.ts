import { setTimeout as sleep } from "node:timers/promises";
import type { DependencyState } from "@svc/contract";
import type { Logger } from "../telemetry/index.ts";
import { type MigrationSet, pendingMigrations } from "./migrate.ts";
import type { AnyDb, Database } from "./open-database.ts";

/** Ready means reachable, and migrated at least as far as this code knows. */
export function databaseReadiness(
  database: Pick<Database<unknown>, "state"> & { db: AnyDb },
  sets: MigrationSet[],
): () => Promise<{ state: DependencyState; detail: string }> {
  let migrated = false;
  return async () => {
    if ((await database.state()) === "down") return { state: "down", detail: "the database does not answer" };
    if (!migrated) {
      const pending = await pendingMigrations(database.db, sets);
      if (pending.length > 0) return { state: "down", detail: `run the migrations first: ${pending.join(", ")}` };
      migrated = true;
    }
    return { state: "up", detail: "reachable and migrated" };
  };
}

/** For a service that can do nothing before its database is there: waits, and says what it waits for. */
export async function waitUntilUp(check: ReturnType<typeof databaseReadiness>, log: Logger): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { state, detail } = await check();
    if (state === "up") return;
    if (tries % 10 === 0) log.warn({ detail }, "waiting for the database");
    await sleep(1_000);
  }
}

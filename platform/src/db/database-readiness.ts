import type { DependencyState } from "@svc/contract";
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

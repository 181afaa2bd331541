import type { MigrationSet } from "./migrate.ts";

/** What every database needs before a domain's own tables: partitions by day, outboxes. */
export const platformMigrations: MigrationSet = {
  schema: "platform",
  directory: new URL("../../migrations/", import.meta.url),
};

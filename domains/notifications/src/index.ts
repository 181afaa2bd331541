import type { MigrationSet } from "@svc/platform/db";

export { ingestRows, moveFromOutbox } from "./ingest-events.ts";
export { notificationRoutes } from "./routes.ts";

export const notificationsMigrations: MigrationSet = {
  schema: "notifications",
  directory: new URL("../migrations/", import.meta.url),
};

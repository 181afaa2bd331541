import type { MigrationSet } from "@svc/platform/db";
import { createOutbox, type Outbox } from "@svc/platform/outbox";

export const maintenanceMigrations: MigrationSet = {
  schema: "maintenance",
  directory: new URL("../migrations/", import.meta.url),
};

export const maintenanceOutbox: Outbox = createOutbox("maintenance");

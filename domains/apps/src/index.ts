import type { MigrationSet } from "@svc/platform/db";
import { createOutbox, type Outbox } from "@svc/platform/outbox";

export const appsMigrations: MigrationSet = {
  schema: "apps",
  directory: new URL("../migrations/", import.meta.url),
};

export const appsOutbox: Outbox = createOutbox("apps");

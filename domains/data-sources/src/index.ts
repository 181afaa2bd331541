import type { MigrationSet } from "@svc/platform/db";
import { createOutbox, type Outbox } from "@svc/platform/outbox";

export const dataSourcesMigrations: MigrationSet = {
  schema: "data_sources",
  directory: new URL("../migrations/", import.meta.url),
};

export const dataSourcesOutbox: Outbox = createOutbox("data_sources");

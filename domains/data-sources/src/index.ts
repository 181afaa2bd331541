import type { MigrationSet } from "@svc/platform/db";
import { createOutbox, type Outbox } from "@svc/platform/outbox";

export const dataSourcesMigrations: MigrationSet = {
  schema: "data_sources",
  directory: new URL("../migrations/", import.meta.url),
};

export const dataSourcesOutbox: Outbox = createOutbox("data_sources");

export { openDataSources } from "./open-data-sources.ts";
export { dataSourcesSettings, keyringSetting } from "./settings.ts";
export { openEmbeddingModels } from "./embedding/open-models.ts";
export { sharedCluster } from "./databases/shared-cluster.ts";
export { dataSourcesJobs, runDataSourcesJobs } from "./jobs.ts";
export { SAMPLE_NOTES } from "./sample/sample-notes.ts";
export { searchStatement } from "./queries/search.ts";
export { secretContext } from "./databases/connect.ts";

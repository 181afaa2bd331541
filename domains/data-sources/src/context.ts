import type { Id } from "@svc/contract";
import type { AuditActor, Origin } from "@svc/platform/audit";
import type { Db } from "@svc/platform/db";
import type { JobQueue } from "@svc/platform/jobs";
import type { Keyring } from "@svc/platform/secrets";
import type { Logger } from "@svc/platform/telemetry";
import type { DB } from "./db-types.ts";
import type { EmbeddingModels } from "./embedding/models.ts";

/** What the use cases of data-sources work with. */
export interface DataSourcesContext {
  db: Db<DB>;
  /** Opens the sealed passwords of managed databases. */
  keyring: Keyring;
  models: EmbeddingModels;
  jobs: JobQueue;
  log: Logger;
  /** Databases that one organization may have. */
  databasesPerOrg: number;
  /** How long a deleted database can be restored. */
  deletionGraceDays: number;
  /** To be called after the commit of any change to a source or its database: every process looks again. */
  sourceChanged(orgId: Id<"org">): Promise<void>;
}

/** Who changes something of which organization, and from where. */
export interface Author {
  orgId: Id<"org">;
  actor: AuditActor;
  origin: Origin;
}

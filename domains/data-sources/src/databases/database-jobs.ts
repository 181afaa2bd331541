import { type Id, idSchema } from "@svc/contract";
import { defineJob } from "@svc/platform/jobs";
import { z } from "zod";

const data = z.strictObject({ org_id: idSchema("org"), database_id: z.uuid() });
const key = ({ database_id }: { database_id: string }): string => database_id;

export interface DatabaseOf {
  org_id: Id<"org">;
  database_id: string;
}

/**
 * Every change enqueues one, in its own transaction. Any number may wait and none is ever refused, so a change that
 * comes while one runs has a run of its own after it; and one that is for later keeps nobody waiting.
 */
export const reconcileDatabaseJob = defineJob<DatabaseOf>({
  name: "data_sources.reconcile_database",
  data,
  exclusion: "one_active",
  key,
  retry: { limit: 6, delaySeconds: 2, maxDelaySeconds: 60 },
  timeoutSeconds: 120,
});

/** The same for what the sweep finds. At most one for each database, or they would pile up while a server is away. */
export const resumeDatabaseJob = defineJob<DatabaseOf>({
  name: "data_sources.resume_database",
  data,
  exclusion: "one_at_all",
  key,
  retry: { limit: 10, delaySeconds: 30, maxDelaySeconds: 600 },
  timeoutSeconds: 120,
});

export const sweepDatabasesJob = defineJob({
  name: "data_sources.sweep_databases",
  data: z.strictObject({}),
  exclusion: "one_at_all",
  retry: { limit: 3, delaySeconds: 10, maxDelaySeconds: 60 },
  timeoutSeconds: 120,
});

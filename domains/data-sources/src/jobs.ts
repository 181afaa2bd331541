import type { Db } from "@svc/platform/db";
import type { AnyJob, JobContext, JobEngine } from "@svc/platform/jobs";
import type { Keyring } from "@svc/platform/secrets";
import type { Logger } from "@svc/platform/telemetry";
import {
  type DatabaseOf,
  reconcileDatabaseJob,
  resumeDatabaseJob,
  sweepDatabasesJob,
} from "./databases/database-jobs.ts";
import { DatabaseNotReadyYet, type DatabaseProvider } from "./databases/database-provider.ts";
import { reconcileDatabase } from "./databases/reconcile-database.ts";
import { resealPasswords } from "./databases/reseal-passwords.ts";
import { sweepDatabases } from "./databases/sweep-databases.ts";
import type { DB } from "./db-types.ts";

/** For the migration, which makes their queues. */
export const dataSourcesJobs: AnyJob[] = [reconcileDatabaseJob, resumeDatabaseJob, sweepDatabasesJob];

interface DataSourcesJobsOptions {
  db: Db<DB>;
  /** Opens the passwords that the gateway sealed. */
  keyring: Keyring;
  provider: DatabaseProvider;
  log: Logger;
}

/** The server does them one by one; more at a time would only hold connections and wait. */
const FEW = { batchSize: 5, concurrency: 1 };

export async function runDataSourcesJobs(engine: JobEngine, options: DataSourcesJobsOptions): Promise<void> {
  const { db, keyring, provider, log } = options;
  const reconcile = (database: DatabaseOf, { signal }: JobContext): Promise<void> =>
    reconcileDatabase({ db, keyring, provider, signal }, database);

  await engine.work(
    reconcileDatabaseJob,
    async (database, context) => {
      try {
        await reconcile(database, context);
      } catch (error) {
        if (!(error instanceof DatabaseNotReadyYet)) throw error;
        const startAfter = new Date(Date.now() + error.retryAfterSeconds * 1_000);
        await engine.enqueue(db, reconcileDatabaseJob, database, { startAfter });
      }
    },
    FEW,
  );

  await engine.work(
    resumeDatabaseJob,
    async (database, context) => {
      try {
        await reconcile(database, context);
      } catch (error) {
        // The next sweep looks again.
        if (!(error instanceof DatabaseNotReadyYet)) throw error;
      }
    },
    FEW,
  );

  await engine.work(sweepDatabasesJob, async () => {
    await resealPasswords(db, keyring, log);
    await sweepDatabases({ db, provider, log }, async (database) => {
      await engine.enqueueUnlessPresent(db, resumeDatabaseJob, database);
    });
  });
  await engine.schedule({ job: sweepDatabasesJob, data: {}, cron: "*/3 * * * *" });
}

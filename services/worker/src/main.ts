import { appsMigrations, appsOutbox } from "@svc/apps";
import {
  dataSourcesMigrations,
  dataSourcesOutbox,
  keyringSetting,
  runDataSourcesJobs,
  sharedCluster,
} from "@svc/data-sources";
import { maintenanceMigrations, maintenanceOutbox } from "@svc/maintenance";
import { moveFromOutbox, notificationsMigrations } from "@svc/notifications";
import { databaseReadiness, openDatabase, platformMigrations, waitUntilUp } from "@svc/platform/db";
import { openJobEngine } from "@svc/platform/jobs";
import { startShipper } from "@svc/platform/outbox";
import { databaseUrlSetting, runService, serviceSettings } from "@svc/platform/service";
import { runJobs, UPKEEP_SECONDS } from "./jobs.ts";

const settings = serviceSettings.extend({
  DATABASE_URL: databaseUrlSetting,
  SECRETS_KEYRING: keyringSetting,
  /** The server that managed databases are made on, as a role that may create databases and roles there. */
  MANAGED_DATABASES_ADMIN_URL: databaseUrlSetting,
});

await runService("worker", settings, async ({ config, log, readiness, onStop, addOpsPage }) => {
  const database = openDatabase<unknown>({ url: config.DATABASE_URL, name: "worker", log });
  onStop(database.close);
  const databaseIsReady = databaseReadiness(database, [
    platformMigrations,
    dataSourcesMigrations,
    appsMigrations,
    maintenanceMigrations,
    notificationsMigrations,
  ]);
  readiness.add("database", databaseIsReady);
  await waitUntilUp(databaseIsReady, log);

  for (const { schema } of [dataSourcesOutbox, appsOutbox, maintenanceOutbox]) {
    const shipper = startShipper({ db: database.db, schema, ship: moveFromOutbox(database.db, schema), log });
    onStop(shipper.stop);
  }

  const engine = await openJobEngine({ url: config.DATABASE_URL, log });
  onStop(() => engine.close(config.STOP_SECONDS * 1_000));
  const upkeep = openDatabase<unknown>({
    url: config.DATABASE_URL,
    name: "worker-upkeep",
    log,
    maxConnections: 1,
    statementTimeoutMs: UPKEEP_SECONDS * 1_000,
  });
  onStop(upkeep.close);
  await runJobs(engine, upkeep.db);
  const provider = sharedCluster({ adminUrl: config.MANAGED_DATABASES_ADMIN_URL });
  // Not a reason to stop: all other jobs go on, and databases are made as soon as they can be.
  provider.check().catch((error: unknown) => log.error({ err: error }, "databases cannot be made right now"));
  await runDataSourcesJobs(engine, { db: database.db, keyring: config.SECRETS_KEYRING, provider, log });
  addOpsPage("/dead-letters", async () => ({ items: await engine.listDeadLetters(100) }));
  return undefined;
});

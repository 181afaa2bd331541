import { appsMigrations } from "@svc/apps";
import { maintenanceMigrations } from "@svc/maintenance";
import { databaseReadiness, openDatabase, platformMigrations } from "@svc/platform/db";
import { databaseUrlSetting, runService, serviceSettings } from "@svc/platform/service";

const settings = serviceSettings.extend({ DATABASE_URL: databaseUrlSetting });

await runService("deploy-api", settings, async ({ config, log, readiness, onStop, createServer }) => {
  const database = openDatabase<unknown>({ url: config.DATABASE_URL, name: "deploy-api", log });
  onStop(database.close);
  readiness.add("database", databaseReadiness(database, [platformMigrations, appsMigrations, maintenanceMigrations]));
  return createServer("svc deploy API");
});

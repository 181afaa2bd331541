import { appsMigrations } from "@svc/apps";
import { dataSourcesMigrations } from "@svc/data-sources";
import { maintenanceMigrations } from "@svc/maintenance";
import { notificationsMigrations } from "@svc/notifications";
import { secret } from "@svc/platform/config";
import { platformMigrations } from "@svc/platform/db";
import { migrateJobs } from "@svc/platform/jobs";
import { databaseUrlSetting, runMigrations } from "@svc/platform/service";
import { z } from "zod";
import { allJobs } from "./jobs.ts";

const settings = z.object({
  /** Connects as the owner of the schemas, not as a service. */
  MIGRATION_DATABASE_URL: databaseUrlSetting,
  API_GATEWAY_DATABASE_PASSWORD: secret(z.string()).optional(),
  DEPLOY_API_DATABASE_PASSWORD: secret(z.string()).optional(),
  WORKER_DATABASE_PASSWORD: secret(z.string()).optional(),
});

/** Everything but identity, whose database belongs to the auth service alone. */
await runMigrations("worker migrate", settings, (config) => ({
  url: config.MIGRATION_DATABASE_URL,
  sets: [platformMigrations, dataSourcesMigrations, appsMigrations, maintenanceMigrations, notificationsMigrations],
  roles: [
    {
      name: "svc_api_gateway",
      schemas: ["data_sources", "notifications", "pgboss"],
      password: config.API_GATEWAY_DATABASE_PASSWORD,
    },
    {
      name: "svc_deploy_api",
      schemas: ["apps", "maintenance", "pgboss"],
      password: config.DEPLOY_API_DATABASE_PASSWORD,
    },
    {
      name: "svc_worker",
      schemas: ["data_sources", "apps", "maintenance", "notifications", "pgboss"],
      password: config.WORKER_DATABASE_PASSWORD,
    },
  ],
  alsoUnderLock: (url) => migrateJobs(url, allJobs),
}));

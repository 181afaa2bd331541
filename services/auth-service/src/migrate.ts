import { identityMigrations } from "@svc/identity";
import { secret } from "@svc/platform/config";
import { platformMigrations } from "@svc/platform/db";
import { databaseUrlSetting, runMigrations } from "@svc/platform/service";
import { z } from "zod";

const settings = z.object({
  /** Connects as the owner of the schemas, not as the service. */
  IDENTITY_MIGRATION_DATABASE_URL: databaseUrlSetting,
  AUTH_SERVICE_DATABASE_PASSWORD: secret(z.string()).optional(),
});

await runMigrations("auth-service migrate", settings, (config) => ({
  url: config.IDENTITY_MIGRATION_DATABASE_URL,
  sets: [platformMigrations, identityMigrations],
  roles: [{ name: "svc_auth_service", schemas: ["identity"], password: config.AUTH_SERVICE_DATABASE_PASSWORD }],
}));

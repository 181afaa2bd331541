import { INGEST_BATCH_LIMIT } from "@svc/contract";
import {
  deriveTokenKeys,
  identityMigrations,
  identityOutbox,
  identityRoutes,
  type IdentityTables,
} from "@svc/identity";
import { openCache } from "@svc/platform/cache";
import { urlSetting } from "@svc/platform/config";
import { databaseReadiness, openDatabase, platformMigrations } from "@svc/platform/db";
import { handOver, startShipper } from "@svc/platform/outbox";
import { cacheUrlSetting, databaseUrlSetting, keySetting, runService, serviceSettings } from "@svc/platform/service";
import { sendEvents } from "./send-events.ts";

const settings = serviceSettings.extend({
  IDENTITY_DATABASE_URL: databaseUrlSetting,
  REDIS_URL: cacheUrlSetting,
  JWT_SECRET: keySetting,
  JWT_SIGNING_KEY: keySetting,
  ACTOR_ASSERTION_SECRET: keySetting,
  API_GATEWAY_URL: urlSetting(["http:", "https:"], "http://api-gateway:8080"),
});

await runService("auth-service", settings, async ({ config, log, readiness, onStop, createServer }) => {
  const database = openDatabase<IdentityTables>({ url: config.IDENTITY_DATABASE_URL, name: "auth-service", log });
  onStop(database.close);
  readiness.add("database", databaseReadiness(database, [platformMigrations, identityMigrations]));

  const cache = openCache(config.REDIS_URL, log);
  onStop(cache.close);
  readiness.add("cache", cache.state);

  const shipper = startShipper({
    db: database.db,
    schema: identityOutbox.schema,
    ship: handOver(
      database.db,
      identityOutbox.schema,
      sendEvents(config.API_GATEWAY_URL, config.ACTOR_ASSERTION_SECRET),
      log,
    ),
    batchSize: INGEST_BATCH_LIMIT,
    log,
  });
  onStop(shipper.stop);

  const app = await createServer("svc auth service");
  await app.register(identityRoutes, {
    db: database.db,
    keys: deriveTokenKeys(config.JWT_SECRET, config.JWT_SIGNING_KEY),
  });
  return app;
});

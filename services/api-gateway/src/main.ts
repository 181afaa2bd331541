import { callerSchema } from "@svc/contract";
import { dataSourcesMigrations } from "@svc/data-sources";
import { notificationRoutes, notificationsMigrations } from "@svc/notifications";
import { openCache } from "@svc/platform/cache";
import { databaseReadiness, openDatabase, platformMigrations } from "@svc/platform/db";
import { callerOf, createAuthenticator, problems, requireCaller } from "@svc/platform/http";
import {
  authServiceUrlSetting,
  cacheUrlSetting,
  databaseUrlSetting,
  keySetting,
  runService,
  serviceSettings,
} from "@svc/platform/service";

const settings = serviceSettings.extend({
  DATABASE_URL: databaseUrlSetting,
  REDIS_URL: cacheUrlSetting,
  AUTH_SERVICE_URL: authServiceUrlSetting,
  ACTOR_ASSERTION_SECRET: keySetting,
});

await runService("api-gateway", settings, async ({ config, log, readiness, onStop, createServer }) => {
  const database = openDatabase<unknown>({ url: config.DATABASE_URL, name: "api-gateway", log });
  onStop(database.close);
  readiness.add(
    "database",
    databaseReadiness(database, [platformMigrations, dataSourcesMigrations, notificationsMigrations]),
  );

  const cache = openCache(config.REDIS_URL, log);
  onStop(cache.close);
  readiness.add("cache", cache.state);

  const authenticator = createAuthenticator({ authServiceUrl: config.AUTH_SERVICE_URL, cache });

  const app = await createServer("svc API");
  app.get(
    "/api/me",
    {
      onRequest: requireCaller(authenticator),
      schema: { summary: "Whom the service takes you for", response: { 200: callerSchema, ...problems(401, 503) } },
    },
    async (request) => callerOf(request),
  );
  await app.register(notificationRoutes, { db: database.db, actorAssertionSecret: config.ACTOR_ASSERTION_SECRET });
  return app;
});

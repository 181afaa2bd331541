import { callerSchema, instanceSchema } from "@svc/contract";
import { dataSourcesMigrations, dataSourcesSettings, openDataSources } from "@svc/data-sources";
import { notificationRoutes, notificationsMigrations } from "@svc/notifications";
import { openCache } from "@svc/platform/cache";
import { urlSetting } from "@svc/platform/config";
import { databaseReadiness, openDatabase, platformMigrations } from "@svc/platform/db";
import {
  callerOf,
  createAuthenticator,
  keepServiceAssertion,
  problems,
  recognizeService,
  requireCaller,
} from "@svc/platform/http";
import { openJobQueue } from "@svc/platform/jobs";
import {
  authServiceUrlSetting,
  cacheUrlSetting,
  databaseUrlSetting,
  keySetting,
  runService,
  serviceSettings,
} from "@svc/platform/service";
import { z } from "zod";
import { serveConsole } from "./console.ts";
import { frontDoor } from "./front-door.ts";

const settings = serviceSettings.extend({
  DATABASE_URL: databaseUrlSetting,
  REDIS_URL: cacheUrlSetting,
  AUTH_SERVICE_URL: authServiceUrlSetting,
  /** Where people sign in, when the auth service is hosted elsewhere. */
  AUTH_LOGIN_URL: authServiceUrlSetting.optional(),
  DEPLOY_API_URL: urlSetting(["http:", "https:"], "http://deploy-api:8080"),
  ACTOR_ASSERTION_SECRET: keySetting,
  /** What the console tells people to connect their agents to. */
  MCP_RESOURCE_URL: urlSetting(["http:", "https:"], "https://mcp.example.com/platform").optional(),
  /** Where the console's built files are; without it there is only the API. */
  CONSOLE_DIRECTORY: z.string().min(1).max(1_000).optional(),
  ...dataSourcesSettings,
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

  const authenticator = createAuthenticator({
    authServiceUrl: config.AUTH_SERVICE_URL,
    cache,
    serviceAssertion: keepServiceAssertion(config.ACTOR_ASSERTION_SECRET, {
      from: "api-gateway",
      to: "auth-service",
      right: "tokens:validate",
    }),
  });

  const app = await createServer("svc API", {
    // What agents show comes from the one address of the MCP server, which counts their failures by their own.
    isFromOurService: recognizeService(config.ACTOR_ASSERTION_SECRET, { to: "api-gateway", right: "tokens:validate" }),
  });
  app.get(
    "/api/me",
    {
      onRequest: requireCaller(authenticator),
      schema: { summary: "Whom the service takes you for", response: { 200: callerSchema, ...problems(401, 503) } },
    },
    async (request) => callerOf(request),
  );
  app.get(
    "/api/instance",
    { schema: { summary: "What anyone may know of this installation", response: { 200: instanceSchema } } },
    async () => ({ mcp_url: config.MCP_RESOURCE_URL ?? null }),
  );
  const jobs = openJobQueue(database.db, log);
  onStop(jobs.close);
  const dataSources = openDataSources({ db: database.db, cache, jobs, authenticator, config, log });
  onStop(dataSources.close);
  dataSources.mount(app);
  await app.register(notificationRoutes, { db: database.db, actorAssertionSecret: config.ACTOR_ASSERTION_SECRET });
  await frontDoor(app, {
    authServiceUrl: config.AUTH_SERVICE_URL,
    deployApiUrl: config.DEPLOY_API_URL,
    authLoginUrl: config.AUTH_LOGIN_URL,
  });
  if (config.CONSOLE_DIRECTORY !== undefined) await serveConsole(app, config.CONSOLE_DIRECTORY);
  return app;
});

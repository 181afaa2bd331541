import { INGEST_BATCH_LIMIT } from "@svc/contract";
import {
  connectorRoutes,
  connectorSettings,
  createOrg,
  deriveTokenKeys,
  type IdentityContext,
  identityMigrations,
  identityOutbox,
  identityRoutes,
  type IdentityTables,
  openConnector,
  openWorkloadTokens,
  readConnectorSettings,
  readSignInSettings,
  refuseHalfSetConnector,
  refuseHalfSetProviders,
  signInRoutes,
  signInSettings,
  workloadSettings,
} from "@svc/identity";
import { openCache } from "@svc/platform/cache";
import { secret, urlSetting } from "@svc/platform/config";
import { databaseReadiness, openDatabase, platformMigrations } from "@svc/platform/db";
import { announceAlive, recognizeService } from "@svc/platform/http";
import { handOver, startShipper } from "@svc/platform/outbox";
import { cacheUrlSetting, databaseUrlSetting, keySetting, runService, serviceSettings } from "@svc/platform/service";
import { z } from "zod";
import { keepHouse } from "./keep-house.ts";
import { sendEvents } from "./send-events.ts";

const declared = serviceSettings.extend({
  IDENTITY_DATABASE_URL: databaseUrlSetting,
  REDIS_URL: cacheUrlSetting,
  JWT_SECRET: keySetting,
  JWT_SIGNING_KEY: keySetting,
  ACTOR_ASSERTION_SECRET: keySetting,
  API_GATEWAY_URL: urlSetting(["http:", "https:"], "http://api-gateway:8080"),
  /** Who may create organizations for others and enter them as support. Without it nobody can. */
  OPERATOR_TOKEN: secret(
    z.string().min(32, "must have at least 32 characters; make one with: openssl rand -hex 32"),
  ).optional(),
  ...workloadSettings,
  ...signInSettings,
  ...connectorSettings,
});
// Also when other settings are wrong, so that all are named at once.
const settings = declared
  .superRefine(refuseHalfSetProviders, { when: () => true })
  .superRefine(refuseHalfSetConnector, { when: () => true });

await runService("auth-service", settings, async ({ config, log, readiness, onStop, createServer }) => {
  const database = openDatabase<IdentityTables>({ url: config.IDENTITY_DATABASE_URL, name: "auth-service", log });
  onStop(database.close);
  readiness.add("database", databaseReadiness(database, [platformMigrations, identityMigrations]));

  const cache = openCache(config.REDIS_URL, log);
  onStop(cache.close);
  readiness.add("cache", cache.state);
  onStop(announceAlive(cache));

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

  onStop(keepHouse(database.db, log));

  const context: IdentityContext = {
    db: database.db,
    keys: deriveTokenKeys(config.JWT_SECRET, config.JWT_SIGNING_KEY),
    cache,
    actorAssertionSecret: config.ACTOR_ASSERTION_SECRET,
  };
  const app = await createServer("svc auth service", {
    isFromOurService: recognizeService(config.ACTOR_ASSERTION_SECRET, { to: "auth-service", right: "tokens:validate" }),
  });
  await app.register(identityRoutes, {
    context,
    outbox: identityOutbox,
    operatorToken: config.OPERATOR_TOKEN,
    workloads: openWorkloadTokens(database.db, config, log),
  });
  const connector = readConnectorSettings(config);
  const signIn = readSignInSettings(config, connector && [connector.issuer]);
  await app.register(signInRoutes, {
    context,
    settings: signIn,
    createOrgFor: (ownerId, name, origin) => createOrg(context, { name, ownerId }, origin),
  });
  if (connector) {
    const { JWT_SECRET: jwtSecret } = config;
    await app.register(connectorRoutes, {
      connector: openConnector({ context, settings: connector, jwtSecret }),
      signIn,
    });
  }
  return app;
});

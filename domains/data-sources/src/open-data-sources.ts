import type { Cache } from "@svc/platform/cache";
import type { AnyDb, Db } from "@svc/platform/db";
import type { Authenticator, Server } from "@svc/platform/http";
import type { JobQueue } from "@svc/platform/jobs";
import type { Logger } from "@svc/platform/telemetry";
import type { z } from "zod";
import { createRowEstimator } from "./asking/estimate-rows.ts";
import { createQuestionLimiter } from "./asking/limit-questions.ts";
import { createActivityRecorder } from "./asking/record-activity.ts";
import { createSourceDirectory } from "./asking/source-directory.ts";
import { openSourcePools } from "./asking/source-pools.ts";
import type { Asking } from "./asking/ask-source.ts";
import type { DataSourcesContext } from "./context.ts";
import type { DB } from "./db-types.ts";
import { openEmbeddingModels } from "./embedding/open-models.ts";
import { createQuestionVectors } from "./embedding/question-vectors.ts";
import { dataSourcesRoutes } from "./routes/data-sources-routes.ts";
import type { dataSourcesSettings } from "./settings.ts";

type DataSourcesConfig = z.infer<z.ZodObject<typeof dataSourcesSettings>>;

interface DataSourcesOptions {
  db: AnyDb;
  cache: Cache;
  jobs: JobQueue;
  authenticator: Authenticator;
  config: DataSourcesConfig;
  log: Logger;
}

export interface DataSources {
  mount(app: Server): void;
  /** Writes what is still to be recorded; to be called before the database is closed. */
  close(): Promise<void>;
}

/** Everything that answering questions needs, put together once. */
export function openDataSources({
  db: anyDb,
  cache,
  jobs,
  authenticator,
  config,
  log,
}: DataSourcesOptions): DataSources {
  const db = anyDb as Db<DB>;
  const keyring = config.SECRETS_KEYRING;
  const models = openEmbeddingModels(config.EMBEDDING_MODELS, { log, timeoutMs: config.EMBEDDING_TIMEOUT_MS });
  const directory = createSourceDirectory(db, cache);
  const pools = openSourcePools({
    keyring,
    log,
    maxPools: config.SOURCE_POOLS,
    connectionsPerPool: config.SOURCE_POOL_CONNECTIONS,
    statementTimeoutMs: config.QUESTION_TIMEOUT_MS,
  });
  const activity = createActivityRecorder({ db, keyring, log });
  const asking: Asking = {
    directory,
    limiter: createQuestionLimiter({ cache, replicas: config.GATEWAY_REPLICAS }),
    defaultLimit: { perMinute: config.QUESTIONS_PER_MINUTE, perDay: config.QUESTIONS_PER_DAY },
    vectors: createQuestionVectors(models, { timeoutMs: config.EMBEDDING_TIMEOUT_MS }),
    search: { pools, estimateRows: createRowEstimator(pools), exactRows: config.EXACT_SEARCH_ROWS },
    activity,
  };
  const context: DataSourcesContext = {
    db,
    keyring,
    models,
    jobs,
    log,
    databasesPerOrg: config.DATABASES_PER_ORG,
    deletionGraceDays: config.DATABASE_DELETION_GRACE_DAYS,
    sourceChanged: directory.sourceChanged,
  };
  return {
    mount: (app) => dataSourcesRoutes(app, { context, asking, authenticator }),
    close: async () => {
      await activity.close();
      await pools.close();
      await models.close();
    },
  };
}

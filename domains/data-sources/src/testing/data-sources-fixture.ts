import { randomBytes } from "node:crypto";
import { type Caller, type Id, type Role, ROLES } from "@svc/contract";
import { type Cache, openCache } from "@svc/platform/cache";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { createServer, type Server } from "@svc/platform/http";
import { newId, uuidOf } from "@svc/platform/ids";
import type { JobQueue } from "@svc/platform/jobs";
import { parseKeyring, seal } from "@svc/platform/secrets";
import type { Logger } from "@svc/platform/telemetry";
import { createMigratedDatabase, servicesUnderTest, silentLogger, waitUntil } from "@svc/platform/testing";
import type { Asking } from "../asking/ask-source.ts";
import { createRowEstimator } from "../asking/estimate-rows.ts";
import { createQuestionLimiter } from "../asking/limit-questions.ts";
import { createActivityRecorder } from "../asking/record-activity.ts";
import { createSourceDirectory } from "../asking/source-directory.ts";
import { openSourcePools } from "../asking/source-pools.ts";
import type { DataSourcesContext } from "../context.ts";
import { secretContext } from "../databases/connect.ts";
import type { DB } from "../db-types.ts";
import type { EmbeddingModels } from "../embedding/models.ts";
import { createQuestionVectors } from "../embedding/question-vectors.ts";
import { dataSourcesMigrations } from "../index.ts";
import { dataSourcesRoutes } from "../routes/data-sources-routes.ts";
import type { CustomerDatabase } from "./customer-database.ts";
import { wordModels } from "./word-model.ts";

export interface TestOrg {
  id: Id<"org">;
  /** A caller of each role, who goes by this token. */
  tokens: Record<Role, string>;
  callers: Record<Role, Caller>;
}

interface FixtureOptions {
  models?: EmbeddingModels;
  log?: Logger;
  redisUrl?: string;
  perMinute?: number;
  perDay?: number;
  questionTimeoutMs?: number;
  connectionsPerPool?: number;
  maxPools?: number;
  embeddingTimeoutMs?: number;
}

export interface DataSourcesFixture {
  app: Server;
  context: DataSourcesContext;
  asking: Asking;
  cache: Cache;
  createOrg(): TestOrg;
  /** A source that stands on this database, or on none. Neither configured nor exposed. */
  addSource(org: TestOrg, name: string, customer?: CustomerDatabase, enabled?: boolean): Promise<Id<"ds">>;
  call(method: Method, url: string, token?: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Asks in JSON. */
  ask(token: string, sourceId: string, question: object): Promise<Answer>;
  close(): Promise<void>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  body: any;
}

/** Every route of data-sources on the real database and the real Redis; callers are known by their tokens. */
export async function createDataSourcesFixture(options: FixtureOptions = {}): Promise<DataSourcesFixture> {
  const log = options.log ?? silentLogger();
  const database = await createMigratedDatabase([dataSourcesMigrations]);
  const db = database.db as Db<DB>;
  const cache = openCache(options.redisUrl ?? servicesUnderTest().redisUrl, log);
  if (!options.redisUrl) await waitUntil(() => cache.state() === "up");
  const keyring = parseKeyring(`test:${randomBytes(32).toString("base64")}`);
  const models = options.models ?? wordModels();
  const directory = createSourceDirectory(db, cache);
  const pools = openSourcePools({
    keyring,
    log,
    maxPools: options.maxPools ?? 20,
    connectionsPerPool: options.connectionsPerPool ?? 4,
    statementTimeoutMs: options.questionTimeoutMs ?? 5_000,
  });
  const activity = createActivityRecorder({ db, keyring, log, flushMs: 20 });
  const asking: Asking = {
    directory,
    limiter: createQuestionLimiter({ cache, replicas: 1 }),
    defaultLimit: { perMinute: options.perMinute ?? 1_000_000, perDay: options.perDay ?? 1_000_000 },
    vectors: createQuestionVectors(models, { timeoutMs: options.embeddingTimeoutMs ?? 5_000 }),
    search: { pools, estimateRows: createRowEstimator(pools), exactRows: 5_000 },
    activity,
  };
  const context: DataSourcesContext = {
    db,
    keyring,
    models,
    jobs: NO_JOBS,
    log,
    databasesPerOrg: 200,
    deletionGraceDays: 7,
    sourceChanged: directory.sourceChanged,
  };
  const callers = new Map<string, Caller>();
  const authenticator = {
    authenticate: async (token: string): Promise<Caller> => {
      const caller = callers.get(token);
      if (!caller) throw new AppError("UNAUTHENTICATED", "Nobody has this token.");
      return caller;
    },
  };
  const app = await createServer({ log, title: "data sources under test", failureLimit: false });
  dataSourcesRoutes(app, { context, asking, authenticator });

  const call: DataSourcesFixture["call"] = async (method, url, token, body, headers = {}) => {
    const response = await app.inject({
      method,
      url,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(response.headers["content-type"]).includes("json");
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson ? response.json() : response.body,
    };
  };

  return {
    app,
    context,
    asking,
    cache,
    call,
    createOrg: () => {
      const org = makeOrg();
      for (const role of ROLES) callers.set(org.tokens[role], org.callers[role]);
      return org;
    },
    addSource: async (org, name, customer, enabled = true) => {
      const id = newId("ds");
      const databaseId = customer?.id ?? uuidOf(newId("ds"));
      const sealed = (role: "owner" | "reader"): string =>
        seal(keyring, customer?.[`${role}Password`] ?? "none", secretContext(databaseId, role));
      await db
        .insertInto("data_sources.databases")
        .values({
          org_id: uuidOf(org.id),
          name,
          id: databaseId,
          status: "ready",
          address: JSON.stringify(customer?.address ?? { host: "127.0.0.1", port: 1, tls: false }),
          owner_secret: sealed("owner"),
          reader_secret: sealed("reader"),
        })
        .execute();
      await db
        .insertInto("data_sources.sources")
        .values({ org_id: uuidOf(org.id), id: uuidOf(id), database_name: name, enabled })
        .execute();
      return id;
    },
    ask: (token, sourceId, question) =>
      call("POST", `/api/wf/slim/data-sources/${sourceId}/query`, token, question, { accept: "application/json" }),
    close: async () => {
      await app.close();
      await activity.close();
      await pools.close();
      await cache.close();
      await database.drop();
    },
  };
}

function makeOrg(): TestOrg {
  const id = newId("org");
  const of = <T>(make: (role: Role) => T): Record<Role, T> =>
    Object.fromEntries(ROLES.map((role) => [role, make(role)])) as Record<Role, T>;
  return {
    id,
    tokens: of((role) => `${id}-${role}`),
    callers: of((role) => ({
      kind: "api_token",
      user: { id: newId("usr"), email: `${role}@example.com`, name: role },
      org: { id, slug: id, name: "An organization" },
      role,
      expires_at: null,
    })),
  };
}

const refuse = async (): Promise<never> => {
  throw new Error("no jobs here");
};
const NO_JOBS: JobQueue = { enqueue: refuse, enqueueUnlessPresent: refuse, enqueueMany: refuse, cancel: refuse };

import { randomBytes } from "node:crypto";
import { type Caller, type Id, type Role, ROLES } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { createServer, type Server } from "@svc/platform/http";
import { idFromUuid, newId } from "@svc/platform/ids";
import { migrateJobs, openJobQueue } from "@svc/platform/jobs";
import { type Keyring, parseKeyring } from "@svc/platform/secrets";
import { createMigratedDatabase, recordingLogger, servicesUnderTest } from "@svc/platform/testing";
import type { DataSourcesContext } from "../context.ts";
import type { DB } from "../db-types.ts";
import { dataSourcesMigrations } from "../index.ts";
import { dataSourcesJobs } from "../jobs.ts";
import { databaseRoutes } from "../routes/databases.ts";
import type { DatabaseOf } from "../databases/database-jobs.ts";
import type { DatabaseProvider } from "../databases/database-provider.ts";
import { physicalNamesOf } from "../databases/physical-names.ts";
import { reconcileDatabase } from "../databases/reconcile-database.ts";
import { sharedCluster } from "../databases/shared-cluster.ts";

export interface TestOrg {
  id: Id<"org">;
  tokens: Record<Role, string>;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  body: any;
}

export interface DatabasesFixture {
  /** Of the platform's own database. */
  url: string;
  db: Db<DB>;
  keyring: Keyring;
  context: DataSourcesContext;
  provider: DatabaseProvider;
  /** Every line that was logged. */
  lines: unknown[];
  /** Organizations whose sources were said to have changed. */
  changed: Id<"org">[];
  createOrg(): TestOrg;
  /** A token for a caller such as this. */
  tokenFor(org: TestOrg, caller: Partial<Caller>): string;
  call(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, token?: string, body?: object): Promise<Answer>;
  /** With a body that is no JSON. */
  callRaw(method: "POST", url: string, token: string, body: string, contentType: string): Promise<{ status: number }>;
  /** Does what a worker would do, with the real provider or one in its place. */
  reconcile(database: DatabaseOf, provider?: DatabaseProvider): Promise<void>;
  databaseOf(org: TestOrg, name: string): Promise<DatabaseOf>;
  close(): Promise<void>;
}

/** The routes of managed databases, a real job queue, and the real server to make databases on. */
export async function createDatabasesFixture(limits: { databasesPerOrg?: number } = {}): Promise<DatabasesFixture> {
  const database = await createMigratedDatabase([dataSourcesMigrations], (url) => migrateJobs(url, dataSourcesJobs));
  const db = database.db as Db<DB>;
  const { log, lines } = recordingLogger();
  const jobs = openJobQueue(db, log);
  const provider = sharedCluster({ adminUrl: servicesUnderTest().postgresAdminUrl });
  const keyring = parseKeyring(`k1:${randomBytes(32).toString("base64")}`);
  const changed: Id<"org">[] = [];
  const context: DataSourcesContext = {
    db,
    keyring,
    jobs,
    log,
    models: { find: () => undefined, names: () => [], close: async () => undefined },
    databasesPerOrg: limits.databasesPerOrg ?? 100,
    deletionGraceDays: 7,
    sourceChanged: async (orgId) => void changed.push(orgId),
  };
  const callers = new Map<string, Caller>();
  const app = await createServer({ log, title: "databases under test", failureLimit: false });
  databaseRoutes(app, context, { authenticate: async (token) => callers.get(token) ?? nobody() });

  const reconcile: DatabasesFixture["reconcile"] = (of, by = provider) =>
    reconcileDatabase({ db, keyring, provider: by, signal: new AbortController().signal }, of);
  const tokenFor: DatabasesFixture["tokenFor"] = (org, caller) => {
    const token = randomBytes(8).toString("hex");
    callers.set(token, {
      kind: "api_token",
      org: { id: org.id, slug: "acme", name: "Acme" },
      role: "viewer",
      expires_at: null,
      ...caller,
    });
    return token;
  };

  return {
    url: database.url,
    db,
    keyring,
    context,
    provider,
    lines,
    changed,
    tokenFor,
    createOrg: () => {
      const org: TestOrg = { id: newId("org"), tokens: {} as Record<Role, string> };
      for (const role of ROLES) org.tokens[role] = tokenFor(org, { role });
      return org;
    },
    call: (method, url, token, body) => call(app, method, url, token, body),
    callRaw: async (method, url, token, payload, contentType) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": contentType };
      return { status: (await app.inject({ method, url, headers, payload })).statusCode };
    },
    reconcile,
    databaseOf: async (org, name) => {
      const rows = await db.selectFrom("data_sources.databases").selectAll().where("name", "=", name).execute();
      const row = rows.find(({ org_id }) => idFromUuid("org", org_id) === org.id);
      if (!row) throw new Error(`no database ${name}`);
      return { org_id: org.id, database_id: row.id };
    },
    close: async () => {
      await app.close();
      const rows = await db.selectFrom("data_sources.databases").select("id").execute();
      for (const { id } of rows) await provider.drop(physicalNamesOf(id));
      await jobs.close();
      await database.drop();
    },
  };
}

async function call(
  app: Server,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  url: string,
  token?: string,
  body?: object,
) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const response = await app.inject({ method, url, headers, ...(body && { payload: body }) });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: response.body === "" ? undefined : response.json(),
  };
}

function nobody(): never {
  throw new AppError("UNAUTHENTICATED", "Nobody has this token.");
}

import type { Caller, Scope } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { createServer, type Server } from "@svc/platform/http";
import { migrateJobs, openJobQueue } from "@svc/platform/jobs";
import { servicesUnderTest, silentLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { createSourceDirectory } from "../../asking/source-directory.ts";
import { physicalNamesOf } from "../../databases/physical-names.ts";
import { reconcileDatabase } from "../../databases/reconcile-database.ts";
import { sharedCluster } from "../../databases/shared-cluster.ts";
import type { DB } from "../../db-types.ts";
import { dataSourcesJobs } from "../../jobs.ts";
import { dataSourcesRoutes } from "../../routes/data-sources-routes.ts";
import { createCustomerDatabase, type CustomerDatabase } from "../../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes } from "../../testing/notes.ts";
import { wordModels } from "../../testing/word-model.ts";

export const JSON_WANTED = { accept: "application/json" };

export type Answer = Awaited<ReturnType<DataSourcesFixture["call"]>>;

export interface DomainUnderTest extends DataSourcesFixture {
  /** Has db_notes, configured and exposed to viewers. */
  org: TestOrg;
  customer: CustomerDatabase;
  models: ReturnType<typeof wordModels>;
  /** A customer's database that is dropped at the end, filled by this SQL. */
  addCustomer(statements?: string): Promise<CustomerDatabase>;
  /** The token of an agent that acts for the organization's owner, with what it was allowed. */
  addAgent(scopes: Scope[]): string;
  expose(sourceId: string, exposure: object, org?: TestOrg): Promise<Answer>;
  save(sourceId: string, configuration: unknown, org?: TestOrg): Promise<Answer>;
  /** One of the list of all sources, as its owner sees it. */
  sourceOf(sourceId: string, org?: TestOrg): Promise<Answer["body"]>;
  /** Makes a database as its row asks for, which is a worker's part. */
  makeDatabase(org: TestOrg, name: string): Promise<void>;
  /** The same routes for the same organization on another server. */
  serveAgain(options: { failures?: number; db?: Db<DB> }): Promise<Server>;
}

type Options = NonNullable<Parameters<typeof createDataSourcesFixture>[0]> & {
  modelDimensions?: Record<string, number>;
};

/** Every route of the domain with a real job queue behind it, and one source that can be asked. */
export async function createDomainUnderTest({ modelDimensions, ...options }: Options = {}): Promise<DomainUnderTest> {
  const models = wordModels(modelDimensions);
  const fixture = await createDataSourcesFixture({ models, ...options });
  const { context } = fixture;
  await migrateJobs(await urlOf(context.db), dataSourcesJobs);
  const jobs = openJobQueue(context.db, context.log);
  context.jobs = jobs;
  const org = fixture.createOrg();
  const customers: CustomerDatabase[] = [];
  const addCustomer: DomainUnderTest["addCustomer"] = async (statements) => {
    const customer = await createCustomerDatabase();
    customers.push(customer);
    if (statements !== undefined) await customer.owner.query(statements);
    return customer;
  };
  const customer = await addCustomer();
  await createNotes(customer);
  await exposeNotes(fixture, org, customer);
  const provider = sharedCluster({ adminUrl: servicesUnderTest().postgresAdminUrl });

  return {
    ...fixture,
    org,
    customer,
    models,
    addCustomer,
    addAgent: (scopes) => {
      const { tokens, callers } = fixture.createOrg();
      Object.assign(callers.owner, { ...org.callers.owner, kind: "actor", scopes });
      return tokens.owner;
    },
    expose: (id, exposure, of = org) => fixture.call("PUT", `${SOURCES}/${id}/exposure`, of.tokens.admin, exposure),
    save: (id, configuration, of = org) => fixture.call("PUT", `${SOURCES}/${id}`, of.tokens.developer, configuration),
    sourceOf: async (sourceId, of = org) => {
      const { body } = await fixture.call("GET", SOURCES, of.tokens.owner);
      return body.items.find(({ source_id }: { source_id: string }) => source_id === sourceId);
    },
    makeDatabase: async ({ id }, name) => {
      const { signal } = new AbortController();
      const rows = context.db.selectFrom("data_sources.databases").select("id").where("name", "=", name);
      const { id: database_id } = await rows.executeTakeFirstOrThrow();
      await reconcileDatabase({ ...context, provider, signal }, { org_id: id, database_id });
      await context.sourceChanged(id);
    },
    serveAgain: (changes) => serveAgain(fixture, org, changes),
    close: async () => {
      const rows = await context.db.selectFrom("data_sources.databases").select("id").execute();
      await jobs.close();
      await fixture.close();
      for (const { drop } of customers) await drop();
      for (const { id } of rows) await provider.drop(physicalNamesOf(id));
    },
  };
}

const SOURCES = "/api/wf/data-sources";

async function urlOf(db: Db<DB>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = new URL(servicesUnderTest().postgresAdminUrl);
  url.pathname = `/${rows[0]?.name}`;
  return url.href;
}

async function serveAgain(
  { context, asking, cache }: DataSourcesFixture,
  org: TestOrg,
  { failures, db = context.db }: { failures?: number; db?: Db<DB> },
): Promise<Server> {
  const callers = new Map<string, Caller>(
    Object.entries(org.tokens).map(([role, token]) => [token, org.callers[role as keyof TestOrg["callers"]]]),
  );
  const app = await createServer({
    log: silentLogger(),
    title: "data sources once more",
    failureLimit: failures === undefined ? false : { failures, perSeconds: 60 },
  });
  dataSourcesRoutes(app, {
    context: { ...context, db },
    asking: { ...asking, directory: createSourceDirectory(db, cache) },
    authenticator: {
      authenticate: async (token) => {
        const caller = callers.get(token);
        if (!caller) throw new AppError("UNAUTHENTICATED", "Nobody has this token.");
        return caller;
      },
    },
  });
  return app;
}

import type * as Contract from "@svc/contract";
import type { z } from "zod";
import { address, queryOf } from "./address.ts";
import { type ApiClientOptions, createCall, createTextCall } from "./call-api.ts";

export interface ApiClient {
  /** Whom the service takes this token for. */
  whoAmI(): Promise<Contract.Caller>;

  listSources(): Promise<z.infer<typeof Contract.dataSourcesSchema>>;
  /** Replaces what was saved. A dry run checks everything and saves nothing. */
  saveSearchConfiguration(
    sourceId: string,
    configuration: z.input<typeof Contract.saveSearchConfigurationRequestSchema>,
    options?: { dryRun?: boolean },
  ): Promise<Contract.SavedSearchConfiguration>;
  exposeSource(
    sourceId: string,
    exposure: z.input<typeof Contract.exposeSourceRequestSchema>,
  ): Promise<Contract.DataSource>;
  sourceHealth(sourceId: string): Promise<Contract.SourceHealth>;
  /** Sends content of sampled rows to the embedding provider. */
  probeModel(sourceId: string, probe: z.input<typeof Contract.probeModelRequestSchema>): Promise<Contract.ModelProbe>;

  /** The sources that the caller may ask. */
  listAskableSources(): Promise<z.infer<typeof Contract.askableSourcesSchema>>;
  ask(sourceId: string, question: z.input<typeof Contract.questionSchema>): Promise<Contract.Answer>;
  /** Both as JSON texts that were not looked into, for who passes them on. */
  listAskableSourcesAsText(): Promise<string>;
  askForText(sourceId: string, question: z.input<typeof Contract.questionSchema>): Promise<string>;

  /** Answers before the database can be used: its status is "creating" at first. */
  createDatabase(database: z.input<typeof Contract.createDatabaseRequestSchema>): Promise<Contract.ManagedDatabase>;
  listDatabases(): Promise<z.infer<typeof Contract.databasesSchema>>;
  getDatabase(name: string): Promise<Contract.ManagedDatabase>;
  databaseConnection(name: string): Promise<Contract.DatabaseConnection>;
  updateDatabase(
    name: string,
    change: z.input<typeof Contract.updateDatabaseRequestSchema>,
  ): Promise<Contract.ManagedDatabase>;
  /** It can be restored until its `delete_after`. */
  deleteDatabase(name: string): Promise<Contract.ManagedDatabase>;
  restoreDatabase(name: string): Promise<Contract.ManagedDatabase>;
  /** Gives its owner another password. */
  rotateDatabase(name: string): Promise<Contract.ManagedDatabase>;

  listActivity(query?: Partial<z.infer<typeof Contract.listActivityQuerySchema>>): Promise<ActivityPage>;
}

export interface ActivityPage {
  items: Contract.Activity[];
  next_cursor: string | null;
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const call = createCall(options);
  const callForText = createTextCall(options);
  return {
    whoAmI: () => call("GET /api/me", (c) => c.callerSchema),

    listSources: () => call("GET /api/wf/data-sources", (c) => c.dataSourcesSchema),
    saveSearchConfiguration: async (id, configuration, { dryRun } = {}) =>
      call(
        address`PUT /api/wf/data-sources/${id}` + queryOf({ dry_run: dryRun ? "true" : undefined }),
        (c) => c.savedSearchConfigurationSchema,
        configuration,
      ),
    exposeSource: async (id, exposure) =>
      call(address`PUT /api/wf/data-sources/${id}/exposure`, (c) => c.dataSourceSchema, exposure),
    sourceHealth: async (id) => call(address`GET /api/wf/data-sources/${id}/health`, (c) => c.sourceHealthSchema),
    probeModel: async (id, probe) =>
      call(address`POST /api/wf/data-sources/${id}/probe`, (c) => c.modelProbeSchema, probe),

    listAskableSources: () => call("GET /api/wf/slim/data-sources", (c) => c.askableSourcesSchema),
    ask: async (id, question) =>
      call(address`POST /api/wf/slim/data-sources/${id}/query`, (c) => c.answerSchema, question),
    listAskableSourcesAsText: () => callForText("GET /api/wf/slim/data-sources"),
    askForText: async (id, question) => callForText(address`POST /api/wf/slim/data-sources/${id}/query`, question),

    createDatabase: (database) => call("POST /api/wf/databases", (c) => c.databaseSchema, database),
    listDatabases: () => call("GET /api/wf/databases", (c) => c.databasesSchema),
    getDatabase: async (name) => call(address`GET /api/wf/databases/${name}`, (c) => c.databaseSchema),
    databaseConnection: async (name) =>
      call(address`GET /api/wf/databases/${name}/connection`, (c) => c.databaseConnectionSchema),
    updateDatabase: async (name, change) =>
      call(address`PATCH /api/wf/databases/${name}`, (c) => c.databaseSchema, change),
    deleteDatabase: async (name) => call(address`DELETE /api/wf/databases/${name}`, (c) => c.databaseSchema),
    restoreDatabase: async (name) => call(address`POST /api/wf/databases/${name}/restore`, (c) => c.databaseSchema),
    rotateDatabase: async (name) => call(address`POST /api/wf/databases/${name}/rotate`, (c) => c.databaseSchema),

    listActivity: (query = {}) =>
      call<ActivityPage>(`GET /api/wf/activity${queryOf(query)}`, (c) => c.pageOf(c.activitySchema)),
  };
}

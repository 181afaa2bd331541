import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiClient, createApiClient } from "./index.ts";
import { type LoopbackServer, startLoopbackServer } from "./testing/loopback-server.ts";

const AT = "2026-05-01T10:00:00.000Z";
const CONFIGURATION = {
  connection_config: {
    embedding_configs: [
      {
        label: "articles",
        table: "articles",
        columns: ["embedding"],
        model: "small",
        dimensions: 3,
        content_columns: "id,title",
        distance_metric: "cosine" as const,
      },
    ],
  },
  filter_schema: { topic: "string" as const },
};
const SOURCE = {
  id: "ds_01h455vb4pex5vsknk084sn02q",
  source_id: "db_notes",
  name: "notes",
  description: null,
  database: "notes",
  enabled: true,
  exposed: true,
  min_role: "viewer",
  search_configured: true,
  ...CONFIGURATION,
  created_at: AT,
  updated_at: AT,
};
const SAVED = { ...SOURCE, warnings: [], dry_run: true };
const HEALTH = { source_id: "db_notes", status: "ok", checked_at: AT, pgvector_version: "0.8.4", findings: [] };
const PROBE = { source_id: "db_notes", entries: [] };
const ASKABLE = { id: "db_notes", name: "notes", min_role: "viewer", filters: {}, targets: ["a"], description: null };
const ANSWER = { count: 1, results: [{ id: "7", title: "Refunds", metadata: { _score: 0.9, _target: "articles" } }] };
const DATABASE = {
  name: "notes",
  source_id: "db_notes",
  description: null,
  data_source: true,
  status: "creating",
  delete_after: null,
  created_at: AT,
  updated_at: AT,
};
const CONNECTION = {
  connection_string: "postgres://u:p@db.example.com:5432/notes",
  host: "db.example.com",
  port: 5432,
  database: "notes",
  user: "u",
  password: "p",
};
const PAGE = { items: [], next_cursor: null };

type Row = [
  name: string,
  call: (client: ApiClient) => Promise<unknown>,
  request: string,
  body: unknown,
  answer: object,
];
const CALLS: Row[] = [
  ["listSources", (c) => c.listSources(), "GET /api/wf/data-sources", undefined, { items: [SOURCE] }],
  [
    "saveSearchConfiguration",
    (c) => c.saveSearchConfiguration("db_notes", CONFIGURATION),
    "PUT /api/wf/data-sources/db_notes",
    CONFIGURATION,
    SAVED,
  ],
  [
    "saveSearchConfiguration as a dry run",
    (c) => c.saveSearchConfiguration("db_notes", CONFIGURATION, { dryRun: true }),
    "PUT /api/wf/data-sources/db_notes?dry_run=true",
    CONFIGURATION,
    SAVED,
  ],
  [
    "exposeSource",
    (c) => c.exposeSource("db_notes", { exposed: true, min_role: "admin" }),
    "PUT /api/wf/data-sources/db_notes/exposure",
    { exposed: true, min_role: "admin" },
    SOURCE,
  ],
  ["sourceHealth", (c) => c.sourceHealth("db_notes"), "GET /api/wf/data-sources/db_notes/health", undefined, HEALTH],
  [
    "probeModel",
    (c) => c.probeModel("db_notes", { send_rows_to_embedding_provider: true }),
    "POST /api/wf/data-sources/db_notes/probe",
    { send_rows_to_embedding_provider: true },
    PROBE,
  ],
  [
    "listAskableSources",
    (c) => c.listAskableSources(),
    "GET /api/wf/slim/data-sources",
    undefined,
    { items: [ASKABLE] },
  ],
  [
    "ask",
    (c) => c.ask("db_notes", { query: "refunds?", filters: { topic: ["a", "b"] }, top_k: 3, target: "articles" }),
    "POST /api/wf/slim/data-sources/db_notes/query",
    { query: "refunds?", filters: { topic: ["a", "b"] }, top_k: 3, target: "articles" },
    ANSWER,
  ],
  ["createDatabase", (c) => c.createDatabase({ name: "notes" }), "POST /api/wf/databases", { name: "notes" }, DATABASE],
  ["listDatabases", (c) => c.listDatabases(), "GET /api/wf/databases", undefined, { items: [DATABASE] }],
  ["getDatabase", (c) => c.getDatabase("notes"), "GET /api/wf/databases/notes", undefined, DATABASE],
  [
    "databaseConnection",
    (c) => c.databaseConnection("notes"),
    "GET /api/wf/databases/notes/connection",
    undefined,
    CONNECTION,
  ],
  [
    "updateDatabase",
    (c) => c.updateDatabase("notes", { data_source: false }),
    "PATCH /api/wf/databases/notes",
    { data_source: false },
    DATABASE,
  ],
  ["deleteDatabase", (c) => c.deleteDatabase("notes"), "DELETE /api/wf/databases/notes", undefined, DATABASE],
  ["restoreDatabase", (c) => c.restoreDatabase("notes"), "POST /api/wf/databases/notes/restore", undefined, DATABASE],
  ["rotateDatabase", (c) => c.rotateDatabase("notes"), "POST /api/wf/databases/notes/rotate", undefined, DATABASE],
  ["listActivity", (c) => c.listActivity(), "GET /api/wf/activity", undefined, PAGE],
  [
    "listActivity of one kind",
    (c) => c.listActivity({ type: "data_sources", source_id: "db_notes", limit: 5 }),
    "GET /api/wf/activity?type=data_sources&source_id=db_notes&limit=5",
    undefined,
    PAGE,
  ],
];

let server: LoopbackServer;
let answer: object;

beforeAll(async () => {
  server = await startLoopbackServer((response) => response.end(JSON.stringify(answer)));
});
afterAll(() => server.stop());
beforeEach(() => server.received.splice(0));

describe("calls about data sources and databases", () => {
  it.each(CALLS)("%s", async (_name, call, request, body, given) => {
    answer = given;
    const client = createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token", userAgent: "svc/1.2.3" });
    expect(await call(client)).toEqual(given);
    const [method, url] = request.split(" ");
    expect(server.received).toMatchObject([
      { method, url, headers: { accept: "application/json", "user-agent": "svc/1.2.3" } },
    ]);
    expect(server.received[0]?.body).toEqual(body);
    expect(server.received[0]?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
  });

  it.each(CALLS)("%s refuses an answer of another shape", async (_name, call) => {
    answer = { items: "none" };
    const client = createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token" });
    await expect(call(client)).rejects.toThrow("answered 200 with something else than was asked for");
  });

  it("rejects a name that would call another address, and sends nothing", async () => {
    const client = createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token" });
    await expect(client.deleteDatabase("..")).rejects.toThrow(RangeError);
    expect(server.received).toEqual([]);
  });
});

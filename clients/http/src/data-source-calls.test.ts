import { expect, it } from "vitest";
import { createApiClient } from "./index.ts";
import { type CallRow, describeCalls } from "./testing/describe-calls.ts";
import { startLoopbackServer } from "./testing/loopback-server.ts";

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
const HISTOGRAM = { from: AT, to: AT, bucket_seconds: 900, buckets: [{ at: AT, ok: 2, failed: 1 }] };

const CALLS: CallRow[] = [
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
    "listSourceAudit",
    (c) => c.listSourceAudit({ action: "source.exposed", source_id: "db_notes" }),
    "GET /api/wf/audit?action=source.exposed&source_id=db_notes",
    undefined,
    PAGE,
  ],
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
  ["loadSample", (c) => c.loadSample("notes"), "POST /api/wf/databases/notes/sample", undefined, SOURCE],
  ["listActivity", (c) => c.listActivity(), "GET /api/wf/activity", undefined, PAGE],
  [
    "listActivity of one kind",
    (c) => c.listActivity({ type: "data_sources", source_id: "db_notes", limit: 5 }),
    "GET /api/wf/activity?type=data_sources&source_id=db_notes&limit=5",
    undefined,
    PAGE,
  ],
  ["activityHistogram", (c) => c.activityHistogram(), "GET /api/wf/activity/histogram", undefined, HISTOGRAM],
  [
    "activityHistogram of a source from a time on",
    (c) => c.activityHistogram({ type: "data_sources", source_id: "db_notes", from: AT }),
    `GET /api/wf/activity/histogram?type=data_sources&source_id=db_notes&from=${encodeURIComponent(AT)}`,
    undefined,
    HISTOGRAM,
  ],
];

describeCalls("data sources and databases", CALLS);

it("rejects a name that would call another address, and sends nothing", async () => {
  const server = await startLoopbackServer((response) => response.end("{}"));
  const client = createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token" });
  await expect(client.deleteDatabase("..")).rejects.toThrow(RangeError);
  expect(server.received).toEqual([]);
  server.stop();
});

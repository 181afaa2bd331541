import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { promisify } from "node:util";
import {
  type EmbeddingStandIn,
  prepareStack,
  type PrivateServices,
  type ServiceProcess,
  type Stack,
  standInVector,
  startEmbeddingStandIn,
  startPrivateServices,
} from "@svc/dev";
import { openCache } from "@svc/platform/cache";
import { silentLogger, waitUntil } from "@svc/platform/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const DUMP = "/usr/lib/postgresql/15/bin/pg_dump";
const QUESTIONS = 1_000;
const DIMENSIONS = 16;
/** In every question, every filter value and every row, and nowhere else. */
const MARK = `mark${randomBytes(8).toString("hex")}`;

let services: PrivateServices;
let provider: EmbeddingStandIn;
let collector: Server;
let stack: Stack;
let gateway: ServiceProcess;
let token: string;
const traces: string[] = [];

beforeAll(async () => {
  services = await startPrivateServices();
  provider = await startEmbeddingStandIn(DIMENSIONS);
  collector = createServer((request, response) => {
    void readText(request).then((body) => {
      traces.push(body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  stack = await prepareStack(services);
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    LOG_LEVEL: "debug",
  };
  await stack.start("auth-service", env);
  await stack.start("worker", env);
  gateway = await stack.start("api-gateway", {
    ...env,
    EMBEDDING_MODELS: JSON.stringify({
      stand_in: { provider: "openai-compatible", base_url: provider.url, dimensions: DIMENSIONS },
    }),
    QUESTIONS_PER_MINUTE: "100000",
    QUESTIONS_PER_DAY: "100000",
  });
  token = await stack.issueToken();
}, 120_000);

afterAll(async () => {
  await stack?.stop();
  provider?.close();
  collector?.close();
  await services?.destroy();
});

async function call(method: string, path: string, body?: object): Promise<{ status: number; text: string; body: any }> {
  const response = await fetch(new URL(path, gateway.url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

async function createSource(): Promise<pg.Client> {
  await call("POST", "/api/wf/databases", { name: "notes" });
  await waitUntil(async () => (await call("GET", "/api/wf/databases/notes")).body.status === "ready", 30_000);
  const { connection_string } = (await call("GET", "/api/wf/databases/notes/connection")).body;
  const owner = new pg.Client({ connectionString: connection_string });
  await owner.connect();
  await owner.query(
    `create table notes (id text primary key, title text, body text, team text, year integer, embedding vector(${DIMENSIONS}))`,
  );
  for (let n = 0; n < 30; n += 1) {
    const vector = `[${standInVector(`row ${n}`, DIMENSIONS).join(",")}]`;
    await owner.query("insert into notes values ($1, $2, $3, $4, $5, $6)", [
      `${MARK}-${n}`,
      `title ${MARK}`,
      `body ${MARK}`,
      `team ${MARK}`,
      2020,
      vector,
    ]);
  }
  const saved = await call("PUT", "/api/wf/data-sources/db_notes", {
    connection_config: {
      embedding_configs: [
        {
          label: "notes",
          table: "notes",
          model: "stand_in",
          dimensions: DIMENSIONS,
          content_columns: "id,title,body,team",
        },
      ],
    },
    filter_schema: { team: "string", year: "number" },
  });
  expect(saved.status).toBe(200);
  await call("PUT", "/api/wf/data-sources/db_notes/exposure", { exposed: true });
  return owner;
}

const ask = (question: object) => call("POST", "/api/wf/slim/data-sources/db_notes/query", question);

it(`after ${QUESTIONS} questions nothing of them and nothing they found is anywhere, and all are on record`, async () => {
  const owner = await createSource();
  const statuses = new Set<number>();
  for (let n = 0; n < QUESTIONS - 5; n += 20) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(20, QUESTIONS - 5 - n) }, (_, offset) =>
        ask({ query: `${MARK} question ${n + offset}`, filters: offset % 2 ? { team: `team ${MARK}` } : {} }),
      ),
    );
    for (const { status, text } of answers) {
      statuses.add(status);
      expect(text).toContain(MARK);
    }
  }
  // The ways to fail that carry the caller's or the customer's words.
  for (const question of [
    { query: MARK, filters: { year: 3_000_000_000 } },
    { query: MARK, filters: { [MARK]: MARK } },
    { query: MARK, target: MARK },
  ])
    statuses.add((await ask(question)).status);
  await owner.query("alter table notes alter column year type text using team");
  statuses.add((await ask({ query: MARK, filters: { year: 2020 } })).status);
  await owner.query("drop table notes");
  statuses.add((await ask({ query: `${MARK} gone` })).status);
  await owner.end();
  expect([...statuses].toSorted()).toEqual([200, 400, 409]);

  const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
  const redis = await readRedis();
  // Stopping writes the records and sends the spans that are still held back.
  await stack.stop();
  const dumps = await Promise.all(
    Object.values(stack.databaseUrls).map(
      async (url) => (await run(DUMP, ["--inserts", url], { maxBuffer: 256 * 1_024 ** 2 })).stdout,
    ),
  );
  const places = {
    "control databases": dumps.join("\n"),
    logs: Object.values(stack.lines).flat().join("\n"),
    traces: traces.join("\n"),
    redis,
    metrics,
  };
  // Otherwise we would look for something in nothing.
  expect(places["control databases"].match(/INSERT INTO data_sources\.activity_/g)).toHaveLength(QUESTIONS);
  expect(places.logs.match(/slim\/data-sources\/:id\/query/g)?.length).toBeGreaterThanOrEqual(QUESTIONS);
  expect(places.traces).toContain("/api/wf/slim/data-sources/:id/query");
  expect(places.redis).toContain("svc:questions:");
  expect(places.metrics).toContain("svc_question_vectors_total");
  for (const [place, text] of Object.entries(places)) expect([place, text.includes(MARK)]).toEqual([place, false]);
}, 180_000);

/** Every key with its value. */
async function readRedis(): Promise<string> {
  const cache = openCache(services.redisUrl, silentLogger());
  await waitUntil(() => cache.state() === "up");
  const script = `
    local all = {}
    for _, key in ipairs(redis.call('keys', '*')) do
      all[#all + 1] = key .. '=' .. redis.call('type', key).ok .. ':' .. redis.call('get', key)
    end
    return all`;
  const entries = (await cache.runScript(script, [], [])) as string[];
  await cache.close();
  return entries.join("\n");
}

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { waitUntil } from "@svc/platform/testing";
import pg from "pg";
import { type AskWorld, MODEL, openAskWorld } from "./ask-world.ts";
import { binaryVector, type Cloud, CLUSTERS, createCloud, DIMENSIONS, fillPages } from "./clustered-rows.ts";
import { type Bench, type BenchCase, median } from "./harness.ts";

const ROWS = 200_000;
const QUESTIONS = 40;
const TOP_K = 10;
const GOAL = 0.95;
const SEED = 20_260_101;

interface AskedQuestion {
  text: string;
  vector: Float32Array;
  cluster: number;
}

interface Filter {
  case: string;
  column?: string;
  valueFor(question: AskedQuestion, index: number): number;
}

const FILTERS: Filter[] = [
  { case: "none", valueFor: () => 0 },
  { case: "10%", column: "tenth", valueFor: (_question, index) => index % 10 },
  { case: "1%", column: "hundredth", valueFor: (_question, index) => (index * 7) % 100 },
  { case: "0.1%", column: "thousandth", valueFor: (_question, index) => (index * 77) % 1_000 },
  // The rows of another cluster than the question's: all that passes the filter is far from where the index looks.
  { case: "0.2% correlated", column: "cluster_tag", valueFor: ({ cluster }) => (cluster + CLUSTERS / 2) % CLUSTERS },
];

export const recallBench: Bench = {
  summary: `Recall at ${TOP_K} of questions on ${ROWS} rows, ours against plain HNSW with pgvector's defaults`,
  run: async (report) => {
    const cloud = createCloud(SEED);
    const questions = drawQuestions(cloud);
    const provider = await startProvider(questions);
    const models = { [MODEL]: { provider: "openai-compatible", base_url: urlOf(provider), dimensions: DIMENSIONS } };
    report("starting a whole svc");
    const world = await openAskWorld({ EMBEDDING_MODELS: JSON.stringify(models), QUESTION_TIMEOUT_MS: "30000" });
    try {
      const owner = await createPages(world, cloud, report);
      try {
        return await measure(world, owner, questions, report);
      } finally {
        await owner.end();
      }
    } finally {
      provider.closeAllConnections();
      provider.close();
      await world.close();
    }
  },
};

function drawQuestions(cloud: Cloud): AskedQuestion[] {
  return Array.from({ length: QUESTIONS }, (_, n) => {
    const cluster = cloud.pick(CLUSTERS);
    return { text: `question ${n}`, vector: cloud.draw(cluster), cluster };
  });
}

/** Knows the vectors of the questions and no others. */
async function startProvider(questions: AskedQuestion[]): Promise<Server> {
  const vectors = new Map(questions.map(({ text, vector }) => [text, [...vector]]));
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { input } = body as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: vectors.get(text) }));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A managed database with the table `pages`, configured and exposed; and a connection as its owner. */
async function createPages(world: AskWorld, cloud: Cloud, report: (line: string) => void): Promise<pg.Client> {
  await world.call("POST", "/api/wf/databases", { name: "pages" });
  await waitUntil(async () => (await world.call("GET", "/api/wf/databases/pages")).status === "ready", 30_000);
  const { connection_string } = await world.call("GET", "/api/wf/databases/pages/connection");
  const owner = new pg.Client({ connectionString: connection_string });
  await owner.connect();
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await work();
    report(`${what}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  };
  await timed(`filling ${ROWS} rows`, () => fillPages(owner, cloud, ROWS));
  await timed("building the index", async () => {
    await owner.query("set maintenance_work_mem = '2GB'; set max_parallel_maintenance_workers = 2");
    await owner.query(
      "create index on pages using hnsw (embedding vector_cosine_ops) with (m = 16, ef_construction = 64)",
    );
    await owner.query("vacuum analyze pages");
  });
  await world.call("PUT", "/api/wf/data-sources/db_pages", {
    connection_config: {
      embedding_configs: [
        { label: "pages", table: "pages", model: MODEL, dimensions: DIMENSIONS, content_columns: "id, title, body" },
      ],
    },
    filter_schema: Object.fromEntries(FILTERS.flatMap(({ column }) => (column ? [[column, "number"]] : []))),
  });
  {
    const { database } = await world.call("GET", "/api/wf/databases/pages/connection");
    const admin = new pg.Client({ connectionString: world.services.postgresAdminUrl }); await admin.connect();
    await admin.query(`alter role ${database}_reader in database ${database} set hnsw.ef_search to 200`); await admin.end();
  }
  await world.call("PUT", "/api/wf/data-sources/db_pages/exposure", { exposed: true });
  return owner;
}

async function measure(
  world: AskWorld,
  owner: pg.Client,
  questions: AskedQuestion[],
  report: (line: string) => void,
): Promise<BenchCase[]> {
  const cases: BenchCase[] = [];
  for (const filter of FILTERS) {
    const found = { exact: [] as string[][], plain: [] as string[][], ours: [] as string[][] };
    const took: number[] = [];
    for (const [index, question] of questions.entries()) {
      const value = filter.valueFor(question, index);
      found.exact.push(await findDirectly(owner, "exact", question, filter.column, value));
      found.plain.push(await findDirectly(owner, "plain", question, filter.column, value));
      const startedAt = performance.now();
      const { results } = await world.call("POST", "/api/wf/slim/data-sources/db_pages/query", {
        query: question.text,
        top_k: TOP_K,
        ...(filter.column && { filters: { [filter.column]: value } }),
      });
      took.push(performance.now() - startedAt);
      found.ours.push(results.map(({ id }: { id: string }) => id));
    }
    const ours = recallOf(found.ours, found.exact);
    const floor = recallOf(found.plain, found.exact);
    const fewest = Math.min(...found.ours.map(({ length }) => length));
    report(
      `${filter.case}: recall ${ours} (plain ${floor}), at least ${fewest} rows (plain ${Math.min(...found.plain.map(({ length }) => length))}), p50 ${median(took).toFixed(0)} ms`,
    );
    cases.push({
      case: filter.case,
      ours,
      floor,
      // Plain HNSW may find nothing at all, and a ratio to nothing is none.
      ratio: round(ours / Math.max(floor, 0.001)),
      unit: `recall@${TOP_K}`,
      goal: GOAL,
      holds: ours >= GOAL && fewest === TOP_K,
    });
  }
  return cases;
}

/** Past svc: with every row compared, or as the index answers when nobody has set anything. */
async function findDirectly(
  owner: pg.Client,
  mode: "exact" | "plain",
  { vector }: AskedQuestion,
  column: string | undefined,
  value: number,
): Promise<string[]> {
  const isExact = mode === "exact";
  await owner.query(
    `set enable_seqscan = ${isExact ? "on" : "off"}; set hnsw.iterative_scan = off; set hnsw.ef_search = 40`,
  );
  const distance = "embedding <=> $1::vector";
  const { rows } = await owner.query({
    text: `select id::text from pages ${column ? `where ${column} = $2` : ""}
            order by ${isExact ? `(${distance}) + 0` : distance} limit ${TOP_K}`,
    values: [binaryVector(vector), ...(column ? [value] : [])],
  });
  return rows.map(({ id }: { id: string }) => id);
}

/** The part of the true neighbours that was found. */
function recallOf(found: string[][], exact: string[][]): number {
  const parts = exact.map((ids, n) => ids.filter((id) => found[n]?.includes(id)).length / ids.length);
  return round(parts.reduce((sum, part) => sum + part, 0) / parts.length);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

const cases = await recallBench.run((line) => process.stderr.write(`${line}\n`));
console.log(cases.map(({ case: c, ours, floor, holds }) => `${c} ${ours} ${floor} ${holds}`).join("\n"));

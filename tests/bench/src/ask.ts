import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { searchStatement } from "@svc/data-sources";
import { standInVector } from "@svc/dev";
import pg from "pg";
import { type AskWorld, COLUMNS, createNotesSource, DIMENSIONS, MODEL, openAskWorld } from "./ask-world.ts";
import { type Bench, type BenchCase, toCase } from "./harness.ts";
import { type LoadResult, runLoad, runRounds } from "./http-load.ts";

export const ROWS = 20_000;
export const QUESTIONS = Array.from({ length: 50 }, (_, n) => `question number ${n}`);
export const CONNECTIONS = 16;
const PER_ROUND = 3_000;
const ROUNDS = 5;

export const askBench: Bench = {
  summary: `Questions over HTTP with ${CONNECTIONS} connections on ${ROWS} rows, against a bare server that runs the same SQL`,
  run: async (report) => {
    report("starting a whole svc, and filling a database");
    const world = await openAskWorld();
    let bare: ChildProcess | undefined;
    try {
      const source = await createNotesSource(world, "notes", ROWS);
      bare = fork(fileURLToPath(new URL("./bare-server.ts", import.meta.url)));
      const bareUrl = await startBare(bare, world);
      const bodies = QUESTIONS.map((query) => JSON.stringify({ query, top_k: 10 }));
      const ours = (accept: string, count: number): Promise<LoadResult> =>
        runLoad({
          url: `${world.gateway.url}/api/wf/slim/data-sources/${source}/query`,
          headers: { authorization: `Bearer ${world.token}`, accept },
          bodies,
          count,
          connections: CONNECTIONS,
          pids: [world.gateway.process.pid ?? 0, world.auth.process.pid ?? 0],
        });
      const floor = (count: number): Promise<LoadResult> =>
        runLoad({ url: bareUrl, headers: {}, bodies, count, connections: CONNECTIONS, pids: [bare?.pid ?? 0] });
      return await measure(ours, floor, report);
    } finally {
      bare?.kill();
      await world.close();
    }
  },
};

async function measure(
  ours: (accept: string, count: number) => Promise<LoadResult>,
  floor: (count: number) => Promise<LoadResult>,
  report: (line: string) => void,
): Promise<BenchCase[]> {
  const runs = {
    bare: floor,
    json: (count: number) => ours("application/json", count),
    yaml: (count: number) => ours("application/yaml", count),
  };
  const of = await runRounds(runs, { warmUp: 3_000, perRound: PER_ROUND, rounds: ROUNDS }, report);
  return [
    toCase("throughput json", "questions/s", of("json", "perSecond"), of("bare", "perSecond"), { atLeast: 0.75 }),
    toCase("throughput yaml", "questions/s", of("yaml", "perSecond"), of("bare", "perSecond"), { atLeast: 0.75 }),
    toCase("p50 json", "ms", of("json", "p50Ms"), of("bare", "p50Ms"), { atMost: 1.3 }),
    toCase("cpu json", "µs CPU of our processes", of("json", "cpuMicros"), of("bare", "cpuMicros"), { atMost: 3.5 }),
  ];
}

/** With the reader's own credentials and settings, as many connections as ours has, and the statement that ours runs. */
export async function startBare(bare: ChildProcess, world: AskWorld): Promise<string> {
  const { database } = await world.call("GET", "/api/wf/databases/notes/connection");
  const admin = new URL(world.services.postgresAdminUrl);
  const password = "of-the-bench";
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  // A second reader with the same rights and habits, since the first one's password is sealed.
  const reader = `${database}_reader`;
  await client.query(`create role bench_reader login password '${password}' in role ${reader}`);
  await client.query(`grant connect on database ${database} to bench_reader`);
  const { rows } = await client.query(
    "select unnest(setconfig) as setting from pg_db_role_setting where setrole = $1::regrole and setdatabase <> 0",
    [reader],
  );
  for (const { setting } of rows as { setting: string }[]) {
    const [name, value] = setting.split(/=(.*)/s);
    await client.query(
      `alter role bench_reader in database ${database} set ${name} to ${pg.escapeLiteral(value ?? "")}`,
    );
  }
  await client.end();
  const plan = {
    label: "notes",
    model: MODEL,
    dimensions: DIMENSIONS,
    metric: "cosine" as const,
    schema: "public",
    table: "notes",
    vectorColumn: "embedding",
    contentColumns: COLUMNS,
    filterCasts: {},
    extensionSchema: "public",
    index: "vector" as const,
  };
  bare.send({
    connection: { host: admin.hostname, port: Number(admin.port), database, user: "bench_reader", password, max: 4 },
    statement: searchStatement(plan, [], "approximate"),
    columns: COLUMNS,
    vectors: Object.fromEntries(
      QUESTIONS.map((text) => [text, binaryVector(standInVector(text, DIMENSIONS)).toString("hex")]),
    ),
  });
  const [address] = (await once(bare, "message")) as [AddressInfo];
  return `http://127.0.0.1:${address.port}/`;
}

function binaryVector(vector: number[]): Buffer {
  const bytes = Buffer.alloc(4 + vector.length * 4);
  bytes.writeInt16BE(vector.length, 0);
  for (const [n, value] of vector.entries()) bytes.writeFloatBE(value, 4 + n * 4);
  return bytes;
}

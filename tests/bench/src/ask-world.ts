import {
  type PrivateServices,
  prepareStack,
  type ServiceProcess,
  type Stack,
  startEmbeddingStandIn,
  startPrivateServices,
} from "@svc/dev";
import { waitUntil } from "@svc/platform/testing";
import pg from "pg";

export const MODEL = "bench";
export const DIMENSIONS = 384;
export const COLUMNS = ["id", "title", "body", "team", "year"];

export interface AskWorld {
  services: PrivateServices;
  stack: Stack;
  gateway: ServiceProcess;
  auth: ServiceProcess;
  token: string;
  call(method: string, path: string, body?: object, token?: string): Promise<any>;
  close(): Promise<void>;
}

/** A whole svc of its own, with an embedding provider that knows a vector for any text. */
export async function openAskWorld(gatewayEnv: Record<string, string> = {}): Promise<AskWorld> {
  const services = await startPrivateServices();
  const provider = await startEmbeddingStandIn(DIMENSIONS);
  const stack = await prepareStack(services);
  const models = { [MODEL]: { provider: "openai-compatible", base_url: provider.url, dimensions: DIMENSIONS } };
  const env = {
    EMBEDDING_MODELS: JSON.stringify(models),
    QUESTIONS_PER_MINUTE: "1000000",
    QUESTIONS_PER_DAY: "1000000000",
    ...gatewayEnv,
  };
  const auth = await stack.start("auth-service", {}, { unread: true });
  const gateway = await stack.start("api-gateway", env, { unread: true });
  await stack.start("worker", {}, { unread: true });
  const token = await stack.issueToken();
  return {
    services,
    stack,
    gateway,
    auth,
    token,
    call: async (method, path, body, as = token) => {
      const response = await fetch(new URL(path, gateway.url), {
        method,
        headers: {
          authorization: `Bearer ${as}`,
          accept: "application/json",
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer: any = await response.json();
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      return answer;
    },
    close: async () => {
      await stack.stop();
      provider.close();
      await services.destroy();
    },
  };
}

/** A database of this name with so many rows in the table notes, configured and exposed. */
export async function createNotesSource(world: AskWorld, name: string, rows: number): Promise<string> {
  await world.call("POST", "/api/wf/databases", { name });
  await waitUntil(async () => (await world.call("GET", `/api/wf/databases/${name}`)).status === "ready", 30_000);
  const { connection_string } = await world.call("GET", `/api/wf/databases/${name}/connection`);
  await fillNotes(connection_string, rows);
  await world.call("PUT", `/api/wf/data-sources/db_${name}`, {
    connection_config: {
      embedding_configs: [
        { label: "notes", table: "notes", model: MODEL, dimensions: DIMENSIONS, content_columns: COLUMNS.join(",") },
      ],
    },
    filter_schema: { team: "string" },
  });
  await world.call("PUT", `/api/wf/data-sources/db_${name}/exposure`, { exposed: true });
  return `db_${name}`;
}

async function fillNotes(connectionString: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.query(`create table notes (
      id integer primary key, title text, body text, team text, year integer, embedding vector(${DIMENSIONS}))`);
    await client.query(
      `insert into notes
       select n, 'Page ' || n, repeat('A sentence of the handbook. ', 12), 'team ' || n % 20, 2000 + n % 25,
         (select array_agg(random() - 0.5 + n * 0 * d) from generate_series(1, ${DIMENSIONS}) d)::vector
       from generate_series(1, ${rows}) n`,
    );
    await client.query("set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 1");
    await client.query("create index on notes using hnsw (embedding vector_cosine_ops)");
    await client.query("analyze notes");
  } finally {
    await client.end();
  }
}

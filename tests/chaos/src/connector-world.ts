import { setTimeout as sleep } from "node:timers/promises";
import {
  type LocalPerson,
  prepareStack,
  type ServiceProcess,
  type Stack,
  startEmbeddingStandIn,
  startLocalProvider,
  startPrivateServices,
} from "@svc/dev";
import type { Caller } from "@svc/contract";
import { waitUntil } from "@svc/platform/testing";
import pg from "pg";

const MODEL = "chaos";
const DIMENSIONS = 16;
/** Rows of each source; a question asks for fewer. */
const ROWS = 20;

export interface World {
  stack: Stack;
  base: string;
  mcpUrl: string;
  orgs: WorldOrg[];
  /** Known to the local provider, and members already. */
  people: WorldPerson[];
  /** As when a node is lost: without a word, and another is started in its place. */
  killAuth(): Promise<void>;
  /** As when a machine is starved: it does nothing, and believes that no time has passed. */
  freezeAuth(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** With one source, whose every title begins with the source's id. */
interface WorldOrg {
  ownerToken: string;
  sourceId: string;
}

export interface WorldPerson {
  sub: string;
  org: WorldOrg;
  /** Of their own, to disconnect agents with. */
  token: string;
}

/** A whole svc of its own, with people who can sign in. */
export async function openWorld(orgCount: number, peopleOfOrg: number): Promise<World> {
  const services = await startPrivateServices();
  const stack = await prepareStack(services);
  const base = stack.urlOf("api-gateway");
  const embedding = await startEmbeddingStandIn(DIMENSIONS);
  const known: LocalPerson[] = [];
  const google = { id: "svc", secret: "a secret of this run", redirectUri: `${base}/auth/google/callback` };
  const provider = await startLocalProvider({ name: "Google", port: 0, client: google, people: known });
  const close = async (): Promise<void> => {
    await stack.stop();
    embedding.close();
    await provider.close();
    await services.destroy();
  };
  const startAuth = (): Promise<ServiceProcess> =>
    stack.start("auth-service", {
      LOG_LEVEL: "error",
      GOOGLE_ISSUER: provider.issuer,
      GOOGLE_CLIENT_ID: google.id,
      GOOGLE_CLIENT_SECRET: google.secret,
    });
  try {
    const models = { [MODEL]: { provider: "openai-compatible", base_url: embedding.url, dimensions: DIMENSIONS } };
    let auth = await startAuth();
    await stack.start("api-gateway", {
      LOG_LEVEL: "error",
      EMBEDDING_MODELS: JSON.stringify(models),
      QUESTIONS_PER_MINUTE: "1000000",
      QUESTIONS_PER_DAY: "1000000000",
    });
    // All agents share one address here, and the disconnected ones go on showing it what is no longer good.
    await stack.start("mcp-server", { LOG_LEVEL: "error", BAD_CREDENTIALS_PER_MINUTE: "1000000" });
    await stack.start("worker", { LOG_LEVEL: "error" });
    const orgs: WorldOrg[] = [];
    const people: WorldPerson[] = [];
    for (let n = 0; n < orgCount; n += 1) {
      const ownerToken = await stack.issueToken();
      const org = { ownerToken, sourceId: await createSource(base, ownerToken, `notes${n}`) };
      orgs.push(org);
      people.push(...(await addPeople(stack, org, known, n, peopleOfOrg)));
    }
    await stack.stopService("worker");
    return {
      stack,
      base,
      mcpUrl: `${stack.urlOf("mcp-server")}/platform`,
      orgs,
      people,
      killAuth: async () => {
        await auth.stop("SIGKILL");
        auth = await startAuth();
      },
      freezeAuth: async (ms) => {
        auth.process.kill("SIGSTOP");
        await sleep(ms);
        auth.process.kill("SIGCONT");
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function addPeople(
  stack: Stack,
  org: WorldOrg,
  known: LocalPerson[],
  orgNumber: number,
  count: number,
): Promise<WorldPerson[]> {
  const { id } = ((await callApi(stack.urlOf("api-gateway"), org.ownerToken, "GET", "/api/me")) as Caller).org;
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const email = `person${n}@org${orgNumber}.example`;
      known.push({ sub: email, claims: { email, email_verified: true, hd: `org${orgNumber}.example`, name: "A" } });
      const { token } = await stack.issueMemberToken(id, email, "developer");
      return { sub: email, org, token };
    }),
  );
}

async function createSource(base: string, token: string, name: string): Promise<string> {
  const call = (method: string, path: string, body?: object): Promise<any> => callApi(base, token, method, path, body);
  await call("POST", "/api/wf/databases", { name });
  await waitUntil(async () => (await call("GET", `/api/wf/databases/${name}`)).status === "ready", 30_000, name);
  const { connection_string } = await call("GET", `/api/wf/databases/${name}/connection`);
  const sourceId = `db_${name}`;
  await fillNotes(connection_string, sourceId);
  const target = { label: "notes", table: "notes", model: MODEL, dimensions: DIMENSIONS, content_columns: "id,title" };
  await call("PUT", `/api/wf/data-sources/${sourceId}`, { connection_config: { embedding_configs: [target] } });
  await call("PUT", `/api/wf/data-sources/${sourceId}/exposure`, { exposed: true });
  return sourceId;
}

async function fillNotes(connectionString: string, sourceId: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`create table notes (id integer primary key, title text, embedding vector(${DIMENSIONS}))`);
    await client.query(
      `insert into notes select n, $1 || ' ' || n,
         (select array_agg(random() - 0.5 + n * 0 * d) from generate_series(1, ${DIMENSIONS}) d)::vector
       from generate_series(1, ${ROWS}) n`,
      [sourceId],
    );
  } finally {
    await client.end();
  }
}

export async function callApi(base: string, token: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(new URL(path, base), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

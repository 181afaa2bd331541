import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT, standInVector } from "@svc/dev";
import { waitUntil } from "@svc/platform/testing";
import pg from "pg";

const run = promisify(execFile);
const DIMENSIONS = 512;

type Load = (connectionString: string) => Promise<unknown>;

/** A managed database, filled, configured as in the guide and shown to agents. */
export async function addSource(base: string, token: string, name: string, load: Load): Promise<void> {
  const call = async (method: string, path: string, body?: string): Promise<any> => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const response = await fetch(`${base}/api/wf${path}`, { method, headers, ...(body && { body }) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await call("POST", "/databases", JSON.stringify({ name }));
  await waitUntil(async () => (await call("GET", `/databases/${name}`)).status === "ready", 60_000);
  await load((await call("GET", `/databases/${name}/connection`)).connection_string);
  await call("PUT", `/data-sources/db_${name}`, await readFile(join(ROOT, "docs/examples/notes-search.json"), "utf8"));
  await call("PUT", `/data-sources/db_${name}/exposure`, JSON.stringify({ exposed: true, min_role: "viewer" }));
}

/** The pages of the demo, with the vectors of the offline model. */
export async function loadHandbook(connectionString: string): Promise<void> {
  const program = join(ROOT, "tools/dev/src/load-demo.ts");
  await run(process.execPath, ["--conditions=svc-source", program, connectionString]);
}

/** A table of the same form with one row, which every question finds. */
export function loadOneNote(title: string): Load {
  return async (connectionString) => {
    const owner = new pg.Client({ connectionString });
    await owner.connect();
    await owner.query(`create table notes (id integer primary key, title text, body text, team text, year integer,
      embedding vector(${DIMENSIONS}))`);
    const vector = `[${standInVector(title, DIMENSIONS).join(",")}]`;
    await owner.query("insert into notes values (1, $1, $1, 'finance', 2026, $2)", [title, vector]);
    await owner.end();
  };
}

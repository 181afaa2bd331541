import { openEmbeddingModels, SAMPLE_NOTES } from "@svc/data-sources";
import { createLogger } from "@svc/platform/telemetry";
import pg from "pg";
import { LOCAL_MODEL } from "./services.ts";

const HELP = `usage: pnpm demo:load <connection string>

Makes the table notes in a database, ${SAMPLE_NOTES.length} pages of a handbook with the vectors of the offline model, and an index.
What is there under this name is replaced.

Example: pnpm --silent demo:load "$(tools/svc db connect notes -q)"
`;

const DIMENSIONS = 512;
const [connectionString = ""] = process.argv.slice(2);
if (!/^postgres(ql)?:\/\//.test(connectionString)) {
  const isHelp = process.argv.includes("--help");
  (isHelp ? process.stdout : process.stderr).write(HELP);
  process.exit(isHelp ? 0 : 1);
}

const log = createLogger({ service: "demo", level: "error" });
const models = openEmbeddingModels({ [LOCAL_MODEL]: { provider: "local", dimensions: DIMENSIONS } }, { log });
const client = new pg.Client({ connectionString });
await client.connect();
try {
  const embedder = models.find(LOCAL_MODEL);
  if (!embedder) throw new Error("the offline model is missing");
  const texts = SAMPLE_NOTES.map(({ title, body }) => `${title}. ${body}`);
  const vectors = await embedder.embed(texts, AbortSignal.timeout(60_000));
  await client.query("begin");
  await client.query("drop table if exists notes");
  await client.query(`create table notes (
    id integer generated always as identity primary key,
    title text not null, body text not null, team text not null, year integer not null,
    embedding vector(${DIMENSIONS}) not null
  )`);
  for (const [index, { title, body, team, year }] of SAMPLE_NOTES.entries()) {
    await client.query("insert into notes (title, body, team, year, embedding) values ($1, $2, $3, $4, $5)", [
      title,
      body,
      team,
      year,
      `[${vectors[index]?.join(",")}]`,
    ]);
  }
  await client.query("create index notes_embedding on notes using hnsw (embedding vector_cosine_ops)");
  await client.query("create index notes_team on notes (team); create index notes_year on notes (year)");
  await client.query("commit");
  await client.query("analyze notes");
  process.stdout.write(`loaded ${SAMPLE_NOTES.length} rows into the table notes, with vectors of ${LOCAL_MODEL}\n`);
} finally {
  await client.end();
  await models.close();
}

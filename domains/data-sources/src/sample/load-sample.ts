import type { DataSource, Id, SearchConfiguration } from "@svc/contract";
import { sqlStateOf } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import type { Author, DataSourcesContext } from "../context.ts";
import { sourceIdOf, toDataSource } from "../data-source.ts";
import { noSuchDatabase, refuseUnlessSettled } from "../databases/managed-database.ts";
import { physicalNamesOf } from "../databases/physical-names.ts";
import type { Embedder, EmbeddingModels } from "../embedding/models.ts";
import { findVectorExtension, type SourceSession, type VectorExtension } from "../queries/catalog.ts";
import { findDatabaseRow } from "../queries/databases.ts";
import { createSampleTable, isSampleTableThere, SAMPLE_TABLE, type SampleRow } from "../queries/sample-table.ts";
import { findSourceRow, type SourceRow } from "../queries/sources.ts";
import { recordAudit } from "../record-audit.ts";
import { saveSearchConfiguration } from "../search-configuration/save-search-configuration.ts";
import { withSourceSession } from "../search-configuration/source-session.ts";
import { SAMPLE_NOTES } from "./sample-notes.ts";

/** All of it together. */
const EMBEDDING_TIMEOUT_MS = 60_000;
/** The offline model takes up to 150 ms for a text, and questions that come meanwhile wait for a batch, not for all. */
const EMBEDDED_AT_ONCE = 4;
/** Two who make the table at the same moment: the second finds its name, or that of its row type, taken. */
const TAKEN = new Set(["42P07", "23505"]);

/** Something to ask about for who has no data yet: a table, and how to search it. Exposes nothing. */
export async function loadSample(context: DataSourcesContext, author: Author, name: string): Promise<DataSource> {
  const { orgId } = author;
  const database = await findDatabaseRow(context.db, orgId, name);
  if (!database) throw noSuchDatabase();
  refuseUnlessSettled(database);
  const source = await getSource(context, orgId, name);
  const model = chooseModel(context.models);
  // Looked at before anything is embedded, and in a session of its own: nothing waits for a model.
  const extension = await withSourceSession(context, source, "owner", (session) => refuseUnlessFree(session, source));
  const rows = await embedRows(model);
  await withSourceSession(context, source, "owner", (session) =>
    createSampleTable(session, extension, model.dimensions, rows),
  ).catch((error: unknown) => {
    throw TAKEN.has(sqlStateOf(error)) ? tableIsThere() : error;
  });
  await recordAudit(context.db, author, "database.sample_loaded", name, { table: SAMPLE_TABLE });
  return configureUnlessDone(context, author, name, model);
}

async function getSource({ db }: DataSourcesContext, orgId: Id<"org">, name: string): Promise<SourceRow> {
  const source = await findSourceRow(db, orgId, sourceIdOf({ database_name: name }));
  if (!source) throw noSuchDatabase();
  return source;
}

/** One that costs nothing and tells nobody, where there is one. */
function chooseModel(models: EmbeddingModels): Embedder {
  const embedders = models.names().flatMap((model) => models.find(model) ?? []);
  const chosen = embedders.find(({ isLocal }) => isLocal) ?? embedders[0];
  if (chosen) return chosen;
  throw new AppError(
    "CONFLICT",
    "There is no model to make vectors with. Whoever runs this server has to set EMBEDDING_MODELS; provider: local needs no account.",
  );
}

async function refuseUnlessFree(session: SourceSession, { database_id }: SourceRow): Promise<VectorExtension> {
  if (await isSampleTableThere(session)) throw tableIsThere();
  const extension = await findVectorExtension(session, physicalNamesOf(database_id).readerRole);
  if (extension) return extension;
  throw new AppError(
    "CONFLICT",
    "The database has no pgvector. Run create extension vector in it, or ask the operator to.",
  );
}

function tableIsThere(): AppError {
  return new AppError(
    "CONFLICT",
    `The database has a table ${SAMPLE_TABLE} already. Save its search configuration to ask it, or drop it and try again.`,
  );
}

async function embedRows(model: Embedder): Promise<SampleRow[]> {
  const signal = AbortSignal.timeout(EMBEDDING_TIMEOUT_MS);
  const rows: SampleRow[] = [];
  while (rows.length < SAMPLE_NOTES.length) {
    const notes = SAMPLE_NOTES.slice(rows.length, rows.length + EMBEDDED_AT_ONCE);
    const texts = notes.map(({ title, body }) => `${title}. ${body}`);
    const vectors = await model.embed(texts, signal);
    rows.push(...notes.map((note, n) => ({ ...note, vector: vectors[n] ?? new Float32Array() })));
  }
  return rows;
}

/** What somebody configured stays: it may be in use. */
async function configureUnlessDone(
  context: DataSourcesContext,
  author: Author,
  name: string,
  { model, dimensions }: Embedder,
): Promise<DataSource> {
  const source = await getSource(context, author.orgId, name);
  if (source.connection_config !== null) return toDataSource(source);
  const configuration: SearchConfiguration = {
    connection_config: {
      embedding_configs: [
        {
          label: "notes",
          table: SAMPLE_TABLE,
          columns: ["embedding"],
          model,
          dimensions,
          content_columns: "id,title,body,team,year",
          distance_metric: "cosine",
        },
      ],
    },
    filter_schema: { team: "string", year: "number" },
  };
  return saveSearchConfiguration(context, author, sourceIdOf(source), configuration, { dryRun: false });
}

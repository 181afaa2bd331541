import type { SourceSession, VectorExtension } from "./catalog.ts";

export const SAMPLE_TABLE = "sample_notes";

/** pgvector builds no HNSW index on longer vectors; so few rows are found without one too. */
const MOST_INDEXED_DIMENSIONS = 2_000;

export interface SampleRow {
  title: string;
  body: string;
  team: string;
  year: number;
  vector: Float32Array;
}

/** Whatever it is that has the name: a view or a sequence is in the way as well. */
export async function isSampleTableThere(session: SourceSession): Promise<boolean> {
  const found = await session.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relname = $1`,
    [SAMPLE_TABLE],
  );
  return found.length > 0;
}

/** The table with all of its rows, or nothing. */
export async function createSampleTable(
  session: SourceSession,
  { quoted_schema: schema }: Pick<VectorExtension, "quoted_schema">,
  dimensions: number,
  rows: SampleRow[],
): Promise<void> {
  const table = `public.${SAMPLE_TABLE}`;
  await session.query("begin read write");
  try {
    await session.query(`create table ${table} (
      id integer generated always as identity primary key,
      title text not null, body text not null, team text not null, year integer not null,
      embedding ${schema}.vector(${dimensions}) not null
    )`);
    await session.query(
      `insert into ${table} (title, body, team, year, embedding)
       select title, body, team, year, embedding::${schema}.vector
         from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[])
              as page (title, body, team, year, embedding)`,
      [
        rows.map(({ title }) => title),
        rows.map(({ body }) => body),
        rows.map(({ team }) => team),
        rows.map(({ year }) => year),
        rows.map(({ vector }) => `[${vector.join(",")}]`),
      ],
    );
    await session.query(`create index on ${table} (team); create index on ${table} (year)`);
    if (dimensions <= MOST_INDEXED_DIMENSIONS) {
      await session.query(`create index on ${table} using hnsw (embedding ${schema}.vector_cosine_ops)`);
    }
    await session.query(`analyze ${table}`);
    await session.query("commit");
  } catch (error) {
    await session.query("rollback").catch(() => undefined);
    throw error;
  }
}

import type { DistanceMetric } from "@svc/contract";
import pg from "pg";
import type { EntryPlan } from "../search-plan.ts";
import type { SourceSession, TableName } from "./catalog.ts";

const { escapeIdentifier: name } = pg;

/** Share of rows without a vector by the last ANALYZE, of the whole table before one of its parts. */
export async function findEmptyShare(
  session: SourceSession,
  { schema, name: table }: TableName,
  column: string,
): Promise<number | undefined> {
  const rows = await session.query<{ null_frac: number }>(
    `select null_frac::float8 from pg_stats
      where schemaname = $1 and tablename = $2 and attname = $3 order by inherited desc limit 1`,
    [schema, table, column],
  );
  return rows[0]?.null_frac;
}

/** Counts among the first rows only, since the table may be huge. */
export async function countEmptyVectors(
  session: SourceSession,
  quoted: { table: string; column: string },
  limit: number,
): Promise<{ rows: number; empty: number }> {
  const [counted] = await session.query<{ rows: number; empty: number }>(
    `select count(*)::int as rows, (count(*) filter (where is_empty))::int as empty
       from (select ${quoted.column} is null as is_empty from ${quoted.table} limit $1) sample`,
    [limit],
  );
  return counted ?? { rows: 0, empty: 0 };
}

export interface SampledRow {
  vector: string;
  texts: (string | null)[];
}

/** Rows with vectors and the beginnings of their content, picked at random from not too many. */
export async function sampleRows(
  session: SourceSession,
  plan: EntryPlan,
  columns: string[],
  limits: { rows: number; outOf: number; characters: number },
): Promise<SampledRow[]> {
  const texts = columns.map((_, place) => `left(c${place}::text, ${limits.characters})`).join(", ");
  const content = columns.map((column, place) => `, ${name(column)} as c${place}`).join("");
  const pool = await someRows(session, plan, `${name(plan.vectorColumn)} as v${content}`, limits.outOf);
  return session.query(
    `select v::text as vector, array[${texts}]::text[] as texts from (${pool}) pool order by random() limit $1`,
    [limits.rows],
  );
}

/** Distances are compared one by one: an index would answer for its own recall too. */
export async function countCloserRows(
  session: SourceSession,
  plan: EntryPlan,
  asked: { question: string; own: string }[],
  outOf: number,
): Promise<{ closer: number; rows: number }[]> {
  const vector = `${name(plan.extensionSchema)}.vector`;
  const distance = `operator(${name(plan.extensionSchema)}.${OPERATORS[plan.metric]})`;
  const pool = await someRows(session, plan, `${name(plan.vectorColumn)}::${vector} as v`, outOf);
  return session.query(
    // Materialized, or else each text would be read again for each row: 6 s instead of 0.04 for 20 and 5,000.
    `with pool as materialized (${pool}),
          asked as materialized (
            select n, q::${vector} as question, o::${vector} ${distance} q::${vector} as own
              from unnest($1::text[], $2::text[]) with ordinality as pair (q, o, n))
     select (select count(*) from pool)::int as rows,
            (select count(*) from pool where (v ${distance} question) < own)::int as closer
       from asked order by n`,
    [asked.map(({ question }) => question), asked.map(({ own }) => own)],
  );
}

const OPERATORS: Record<DistanceMetric, string> = { cosine: "<=>", l2: "<->", inner_product: "<#>" };

/** In a table of more rows the first ones may be all alike, so blocks from all over it are read. */
const SPREAD_BEYOND_ROWS = 50_000;

async function someRows(session: SourceSession, plan: EntryPlan, columns: string, limit: number): Promise<string> {
  const [size] = await session.query<{ rows: number }>(
    `select c.reltuples::float8 as rows from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relname = $2`,
    [plan.schema, plan.table],
  );
  const rows = size?.rows ?? 0;
  // Four times as many as needed: some have no vector, and blocks are not equally full.
  const percent = Math.min(100, (400 * limit) / rows).toFixed(6);
  const spread = rows > SPREAD_BEYOND_ROWS ? ` tablesample system (${percent})` : "";
  const table = `${name(plan.schema)}.${name(plan.table)}`;
  return `select ${columns} from ${table}${spread} where ${name(plan.vectorColumn)} is not null limit ${limit}`;
}

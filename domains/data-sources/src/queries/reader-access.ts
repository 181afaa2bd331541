import type { SourceSession } from "./catalog.ts";
import type { ReaderGrants } from "./reader-grants.ts";

/** What the reader was to have, as a table of columns, and the role itself. */
const EXPECTED = `expected as (select * from unnest($2::text[], $3::text[], $4::text[]) as e ("schema", "table", "column")),
  reader as (select oid from pg_roles where rolname = $1)`;

/** Tables of the customer's own: not PostgreSQL's, and not those that come with an extension. */
const OWN_RELATIONS = `relations as materialized (
    select c.oid, n.nspname as schema, c.relname as table
      from pg_class c join pg_namespace n on n.oid = c.relnamespace, reader
     where c.relkind in ('r', 'p', 'v', 'm', 'f')
       and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
       and has_schema_privilege(reader.oid, n.oid, 'usage')
       and not exists (select from pg_depend d
                        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))`;

export interface ReaderColumn {
  schema: string;
  table: string;
  column: string;
}

/** Configured columns that the reader cannot read, so that searches fail. */
export function listUnreadable(session: SourceSession, reader: string, grants: ReaderGrants): Promise<ReaderColumn[]> {
  return session.query(
    `with ${EXPECTED}
     select e.* from expected e, reader
      where not exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid
         where n.nspname = e.schema and c.relname = e.table and a.attname = e.column
           and has_schema_privilege(reader.oid, n.oid, 'usage')
           and has_column_privilege(reader.oid, c.oid, a.attnum, 'select'))`,
    [reader, ...columnArrays(grants)],
  );
}

/** Columns that the reader can read though no search does. */
export function listReadableBeyond(
  session: SourceSession,
  reader: string,
  grants: ReaderGrants,
  limit: number,
): Promise<ReaderColumn[]> {
  return session.query(
    `with ${EXPECTED}, ${OWN_RELATIONS}
     select r.schema, r.table, a.attname as column
       from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped, reader
      where has_any_column_privilege(reader.oid, r.oid, 'select')
        and has_column_privilege(reader.oid, r.oid, a.attnum, 'select')
        and not exists (select from expected e
                         where e.schema = r.schema and e.table = r.table and e.column = a.attname)
      order by r.schema, r.table, a.attnum limit $5`,
    [reader, ...columnArrays(grants), limit],
  );
}

export function listWritable(
  session: SourceSession,
  reader: string,
  limit: number,
): Promise<Omit<ReaderColumn, "column">[]> {
  return session.query(
    `with reader as (select oid from pg_roles where rolname = $1), ${OWN_RELATIONS}
     select r.schema, r.table from relations r, reader
      where has_table_privilege(reader.oid, r.oid, 'delete, truncate, trigger')
         or has_any_column_privilege(reader.oid, r.oid, 'insert, update, references')
      order by r.schema, r.table limit $2`,
    [reader, limit],
  );
}

function columnArrays({ tables }: ReaderGrants): [string[], string[], string[]] {
  const columns = tables.flatMap(({ schema, table, columns }) => columns.map((column) => ({ schema, table, column })));
  return [columns.map(({ schema }) => schema), columns.map(({ table }) => table), columns.map(({ column }) => column)];
}

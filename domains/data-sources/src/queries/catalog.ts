/** A connection to a customer's database. Its errors are AppErrors. */
export interface SourceSession {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * Whatever the owner set for its role or database does not count here: names mean what is in pg_catalog, expressions
 * are written one way, and nothing is changed but by a transaction that says so.
 */
export function sessionSettings(statementTimeoutMs: number): string {
  return `set search_path = pg_catalog; set statement_timeout = ${statementTimeoutMs}; set lock_timeout = 0;
    set default_transaction_read_only = on; set default_transaction_isolation = 'read committed';
    set quote_all_identifiers = off; set row_security = on; set timezone = 'UTC'; set datestyle = 'ISO'`;
}

/** Temporary tables and what PostgreSQL itself keeps in tables. */
const IN_SYSTEM_SCHEMA = "(n.nspname like 'pg\\_%' or n.nspname = 'information_schema')";

/** Whether the reader can be let into a schema, or is in already. */
const CAN_BE_ENTERED = `(pg_has_role(n.nspowner, 'usage')
  or coalesce(has_schema_privilege((select oid from pg_roles where rolname = $1), n.oid, 'usage'), false))`;

export interface VectorExtension {
  version: string;
  schema: string;
  quoted_schema: string;
  can_be_entered: boolean;
}

export async function findVectorExtension(
  session: SourceSession,
  reader: string,
): Promise<VectorExtension | undefined> {
  const rows = await session.query<VectorExtension>(
    `select e.extversion as version, n.nspname as schema, quote_ident(n.nspname) as quoted_schema,
            ${CAN_BE_ENTERED} as can_be_entered
       from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'vector'`,
    [reader],
  );
  return rows[0];
}

export interface TableName {
  schema: string;
  name: string;
}

/** Anything that is kept under a table's name: tables, views, sequences, indexes. */
export interface CatalogRelation extends TableName {
  oid: number;
  /** Both names, quoted where SQL needs it. */
  quoted: string;
  kind: string;
  owner: string;
  is_ours: boolean;
  can_be_entered: boolean;
  has_row_security: boolean;
  /** By the last statistics; -1 where there were none yet. */
  rows: number;
}

/** Compared as text: cast to `name`, a longer name would be cut to one that exists. */
export function listRelations(session: SourceSession, reader: string, wanted: TableName[]): Promise<CatalogRelation[]> {
  return session.query(
    `select c.oid, n.nspname as schema, c.relname as name,
            quote_ident(n.nspname) || '.' || quote_ident(c.relname) as quoted,
            c.relkind as kind, pg_get_userbyid(c.relowner) as owner,
            pg_has_role(c.relowner, 'usage') as is_ours, ${CAN_BE_ENTERED} as can_be_entered,
            c.relrowsecurity as has_row_security, c.reltuples::float8 as rows
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where (n.nspname, c.relname) in (select * from unnest($2::text[], $3::text[]))`,
    [reader, wanted.map(({ schema }) => schema), wanted.map(({ name }) => name)],
  );
}

/** What could have been meant by names that are not there; those of the same name in other schemas first. */
export function listTableNames(session: SourceSession, alike: string[], limit: number): Promise<TableName[]> {
  return session.query(
    `select n.nspname as schema, c.relname as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not ${IN_SYSTEM_SCHEMA}
      order by c.relname = any ($1::text[]) desc, n.nspname, c.relname limit $2`,
    [alike, limit],
  );
}

export interface CatalogColumn {
  table: number;
  position: number;
  name: string;
  quoted: string;
  /** Of a domain, the type that it is made of. */
  type_schema: string;
  type_name: string;
  type_kind: string;
  /** For `vector` the dimensions; -1 where none are declared. */
  modifier: number;
  is_domain: boolean;
  type_text: string;
  quoted_type: string;
  type_can_be_reached: boolean;
}

export function listColumns(session: SourceSession, reader: string, tables: number[]): Promise<CatalogColumn[]> {
  return session.query(
    `with recursive resolved as (
       select attrelid, attnum, attname, atttypid as type, atttypmod as modifier, false as is_domain
         from pg_attribute where attrelid = any ($2::oid[]) and attnum > 0 and not attisdropped
       union all
       select r.attrelid, r.attnum, r.attname, t.typbasetype, t.typtypmod, true
         from resolved r join pg_type t on t.oid = r.type where t.typtype = 'd')
     select r.attrelid as table, r.attnum as position, r.attname as name, quote_ident(r.attname) as quoted,
            n.nspname as type_schema, t.typname as type_name, t.typtype as type_kind, r.modifier, r.is_domain,
            format_type(t.oid, r.modifier) as type_text,
            case n.nspname when 'pg_catalog' then 'pg_catalog.' || t.typname
              else '"' || replace(n.nspname, '"', '""') || '"."' || replace(t.typname, '"', '""') || '"'
            end as quoted_type,
            ${CAN_BE_ENTERED} as type_can_be_reached
       from resolved r join pg_type t on t.oid = r.type and t.typtype <> 'd' join pg_namespace n on n.oid = t.typnamespace
      order by r.attrelid, r.attnum`,
    [reader, tables],
  );
}

export interface CatalogIndex {
  table: number;
  quoted: string;
  method: string;
  is_valid: boolean;
  is_partial: boolean;
  /** Position of the first column; 0 for an expression. */
  position: number;
  expression: string | null;
  operator_class: string;
}

export function listIndexes(session: SourceSession, tables: number[]): Promise<CatalogIndex[]> {
  return session.query(
    `select i.indrelid as table, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as quoted,
            am.amname as method, i.indisvalid and i.indisready and i.indislive as is_valid,
            i.indpred is not null as is_partial, i.indkey[0] as position,
            pg_get_expr(i.indexprs, i.indrelid) as expression, opc.opcname as operator_class
       from pg_index i
       join pg_class c on c.oid = i.indexrelid
       join pg_namespace n on n.oid = c.relnamespace
       join pg_am am on am.oid = c.relam
       join pg_opclass opc on opc.oid = i.indclass[0]
      where i.indrelid = any ($1::oid[])
      order by c.relname`,
    [tables],
  );
}

import pg from "pg";
import type { SourceSession } from "./catalog.ts";

const { escapeIdentifier: name } = pg;

/** What the reader is to have: entry to schemas, and the columns of tables. */
export interface ReaderGrants {
  schemas: string[];
  tables: { schema: string; table: string; columns: string[] }[];
}

/** Takes from the reader all that the owner gave it, and gives it exactly this: both or nothing. */
export async function replaceReaderGrants(session: SourceSession, reader: string, grants: ReaderGrants): Promise<void> {
  await session.query("begin read write");
  try {
    const statements = [...(await revocations(session, reader)), ...(await permissions(session, reader, grants))];
    // In one message, so that the connection's time-out is that of all of them together.
    if (statements.length > 0) await session.query(statements.join(";\n"));
    await session.query("commit");
  } catch (error) {
    await session.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** A revocation on a table covers its columns. */
async function revocations(session: SourceSession, reader: string): Promise<string[]> {
  const held = await session.query<{ what: string }>(
    `with reader as (select oid from pg_roles where rolname = $1)
     select format('table %I.%I', n.nspname, c.relname) as what
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where pg_has_role(c.relowner, 'usage') and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and (
            exists (select from aclexplode(c.relacl) where grantee = (select oid from reader))
         or c.oid in (select a.attrelid from pg_attribute a, aclexplode(a.attacl) g
                       where a.attacl is not null and g.grantee = (select oid from reader)))
     union all
     select format('schema %I', n.nspname) from pg_namespace n
      where pg_has_role(n.nspowner, 'usage')
        and exists (select from aclexplode(n.nspacl) where grantee = (select oid from reader))`,
    [reader],
  );
  return held.map(({ what }) => `revoke all on ${what} from ${name(reader)} cascade`);
}

/** A schema that is not the owner's was found open to the reader already, or else the check would have refused. */
async function permissions(session: SourceSession, reader: string, grants: ReaderGrants): Promise<string[]> {
  const schemas = await session.query<{ nspname: string }>(
    "select nspname from pg_namespace where nspname = any ($1::text[]) and pg_has_role(nspowner, 'usage')",
    [grants.schemas],
  );
  return [
    ...schemas.map(({ nspname }) => `grant usage on schema ${name(nspname)} to ${name(reader)}`),
    ...grants.tables.map(({ schema, table, columns }) => {
      const list = columns.map((column) => name(column)).join(", ");
      return `grant select (${list}) on table ${name(schema)}.${name(table)} to ${name(reader)}`;
    }),
  ];
}

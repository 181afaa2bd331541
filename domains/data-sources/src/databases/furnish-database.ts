import { sqlStateOf } from "@svc/platform/db";
import pg from "pg";
import type { DesiredDatabase } from "./database-provider.ts";

const { escapeIdentifier: name, escapeLiteral: literal } = pg;

const NOT_ALLOWED = "42501";

/** Reader's settings are the last piece, and only an administrator can take them away: the owner was not in before. */
export async function isFurnished(admin: pg.Client, { database, reader }: DesiredDatabase): Promise<boolean> {
  const { rowCount } = await admin.query(
    `select from pg_db_role_setting as setting
       join pg_database on pg_database.oid = setting.setdatabase
       join pg_roles on pg_roles.oid = setting.setrole
      where datname = $1 and rolname = $2`,
    [database, reader.role],
  );
  return rowCount !== 0;
}

/** What a new database gets from within, before its owner can enter it. Never afterwards: see docs/adr/0011. */
export async function furnish(
  inside: pg.Client,
  { database, owner, reader }: DesiredDatabase,
  readerTimeoutMs: number,
): Promise<void> {
  await inside.query("create extension if not exists vector with schema public").catch(explainRefusal);
  await inside.query(`grant usage on schema public to ${name(reader.role)}`);
  // Everyone may make large objects, so that the reader could fill the disk.
  const makers = "lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea)";
  await inside.query(`revoke execute on function ${makers} from public`);
  await inside.query(`grant execute on function ${makers} to ${name(owner.role)}`);

  const known = await knownSettings(inside, readerSettings(readerTimeoutMs));
  const all = known.map(
    ([setting, value]) =>
      `alter role ${name(reader.role)} in database ${name(database)} set ${setting} to ${literal(value)}`,
  );
  // One text is one transaction: half of the settings would pass for all of them.
  await inside.query(all.join(";"));
}

/**
 * On the role and not in each connection's start, where a pooler in between would drop them. They are habits, not
 * guards: a session can set them differently, and only the missing grants keep the reader from writing.
 */
function readerSettings(timeoutMs: number): Record<string, string> {
  return {
    default_transaction_read_only: "on",
    statement_timeout: String(timeoutMs),
    idle_in_transaction_session_timeout: "30000",
    search_path: "pg_catalog",
    timezone: "UTC",
    datestyle: "ISO",
    intervalstyle: "iso_8601",
    // Filter values decide the plan; one made for any value would be wrong for most.
    plan_cache_mode: "force_custom_plan",
    // Measured on 200,000 vectors: 40, the default, finds 83 of 100 neighbours, 100 finds 92, 200 finds 99.
    "hnsw.ef_search": "200",
    // Goes on looking until enough rows pass the filter; else a filter of 1 in 100 leaves next to none.
    "hnsw.iterative_scan": "relaxed_order",
  };
}

/** Those of an older pgvector are fewer; and none is known, nor allowed to others than superusers, until it is loaded. */
async function knownSettings(inside: pg.Client, wanted: Record<string, string>): Promise<[string, string][]> {
  const { rows } = await inside.query<{ schema: string }>(
    "select nspname as schema from pg_extension join pg_namespace n on n.oid = extnamespace where extname = 'vector'",
  );
  await inside.query(`select '[1]'::${name(rows[0]?.schema ?? "public")}.vector`);
  const known = await inside.query<{ name: string }>(
    "select lower(name) as name from pg_settings where lower(name) = any($1)",
    [Object.keys(wanted)],
  );
  const names = new Set(known.rows.map((row) => row.name));
  return Object.entries(wanted).filter(([setting]) => names.has(setting));
}

function explainRefusal(error: unknown): never {
  if (sqlStateOf(error) !== NOT_ALLOWED) throw error;
  throw new Error(
    "The administrator of the managed databases may not create the extension vector. Make it a superuser, or create the extension in template1 of that server once.",
    { cause: error },
  );
}

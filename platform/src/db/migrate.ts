import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { type MigrationProvider, Migrator } from "kysely/migration";
import pg from "pg";
import type { Db } from "./open-database.ts";
import { sqlStateOf } from "./sql-state.ts";

/** The SQL files of one schema, applied in the order of their names and never edited afterwards. */
export interface MigrationSet {
  schema: string;
  directory: URL;
}

/** A service's login. It sees the schemas named here and nothing else. */
export interface DatabaseRole {
  name: string;
  /** Schemas whose rows it may read and change. Their history of migrations it may only read. */
  schemas: string[];
  /** Without one the role cannot log in, until the operator gives it a password. */
  password?: string | undefined;
}

interface MigrateOptions {
  /** Connects as the owner of the schemas. */
  url: string;
  sets: MigrationSet[];
  roles: DatabaseRole[];
  /** Work that must happen under the same lock, such as the job engine's own schema. */
  alsoUnderLock?: (url: string) => Promise<void>;
}

/** Any number, the same for every process that migrates: "svc" in ASCII. */
const LOCK_KEY = 0x737663;
const ROLE_ATTEMPTS = 20;

/** Brings every schema up to date. Processes that start at once wait for the first, then find nothing to do. */
export async function migrate({ url, sets, roles, alsoUnderLock }: MigrateOptions): Promise<{ applied: string[] }> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 2 }) }),
  });
  try {
    await lock.query("select pg_advisory_lock($1)", [LOCK_KEY]);
    await closeToStrangers(db);
    for (const role of roles) await ensureRole(db, role, ROLE_ATTEMPTS);
    const applied: string[] = [];
    for (const set of sets) applied.push(...(await applySet(db, set)));
    await alsoUnderLock?.(url);
    for (const role of roles) await grantSchemas(db, role, sets);
    return { applied };
  } finally {
    await db.destroy();
    await lock.end();
  }
}

/** What a service asks at start: it must not serve on a schema older than its code. */
export async function pendingMigrations(db: Db, sets: MigrationSet[]): Promise<string[]> {
  const pending: string[] = [];
  for (const set of sets) {
    const done = await sql<{ name: string }>`select name from ${sql.id(set.schema, "migrations")}`
      .execute(db)
      .then(({ rows }) => new Set(rows.map(({ name }) => name)))
      .catch((error: unknown) => {
        if (isUndefinedTable(error)) return new Set<string>();
        throw error;
      });
    const names = await migrationNames(set);
    pending.push(...names.filter((name) => !done.has(name)).map((name) => `${set.schema}/${name}`));
  }
  return pending;
}

async function applySet(db: Db, set: MigrationSet): Promise<string[]> {
  const provider: MigrationProvider = {
    getMigrations: async () => {
      const names = await migrationNames(set);
      return Object.fromEntries(
        names.map((name) => [
          name,
          {
            up: async (tx: Db) => {
              const text = await readFile(new URL(`${name}.sql`, set.directory), "utf8");
              await sql.raw(text).execute(tx);
            },
          },
        ]),
      );
    },
  };
  const migrator = new Migrator({
    db,
    provider,
    migrationTableSchema: set.schema,
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
  });
  const { results = [], error } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find(({ status }) => status === "Error")?.migrationName ?? "?";
    throw new Error(`migration ${set.schema}/${failed} failed and was rolled back`, { cause: error });
  }
  return results.map(({ migrationName }) => `${set.schema}/${migrationName}`);
}

async function migrationNames(set: MigrationSet): Promise<string[]> {
  const files = await readdir(set.directory);
  return files
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .toSorted();
}

/** By default every role of a cluster may connect to every database of it. */
async function closeToStrangers(db: Db): Promise<void> {
  await sql`revoke connect, temporary on database ${await currentDatabase(db)} from public`.execute(db);
}

async function currentDatabase(db: Db): Promise<ReturnType<typeof sql.id>> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  return sql.id(rows[0]?.name ?? "");
}

async function ensureRole(db: Db, role: DatabaseRole, attempts: number): Promise<void> {
  const { name, password } = role;
  try {
    const { rows } = await sql`select 1 from pg_roles where rolname = ${name}`.execute(db);
    if (rows.length === 0) await sql`create role ${sql.id(name)} nologin`.execute(db);
    await sql`grant connect on database ${await currentDatabase(db)} to ${sql.id(name)}`.execute(db);
    if (password) await sql`alter role ${sql.id(name)} login password ${sql.lit(password)}`.execute(db);
  } catch (error) {
    if (attempts <= 1 || !isRoleChangedMeanwhile(error)) throw error;
    await sleep(Math.random() * 50);
    await ensureRole(db, role, attempts - 1);
  }
}

/** Roles belong to the whole server and our lock to one database, so the migration of another may be at the same role. */
function isRoleChangedMeanwhile(error: unknown): boolean {
  if (["23505", "42710"].includes(sqlStateOf(error))) return true;
  return error instanceof Error && error.message === "tuple concurrently updated";
}

async function grantSchemas(db: Db, { name, schemas }: DatabaseRole, sets: MigrationSet[]): Promise<void> {
  const role = sql.id(name);
  for (const schemaName of schemas) {
    const schema = sql.id(schemaName);
    await sql`grant usage on schema ${schema} to ${role}`.execute(db);
    await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`.execute(db);
    await sql`grant usage on all sequences in schema ${schema} to ${role}`.execute(db);
    await sql`grant execute on all functions in schema ${schema} to ${role}`.execute(db);
    if (sets.some((set) => set.schema === schemaName)) {
      for (const history of ["migrations", "migrations_lock"]) {
        await sql`revoke insert, update, delete on ${sql.id(schemaName, history)} from ${role}`.execute(db);
      }
    }
  }
  // The functions of the platform schema run as its owner; its tables are not for services to change.
  const platform = sql.id("platform");
  await sql`grant usage on schema ${platform} to ${role}`.execute(db);
  await sql`grant select on all tables in schema ${platform} to ${role}`.execute(db);
  await sql`grant execute on all functions in schema ${platform} to ${role}`.execute(db);
}

function isUndefinedTable(error: unknown): boolean {
  return ["42P01", "3F000"].includes(sqlStateOf(error));
}

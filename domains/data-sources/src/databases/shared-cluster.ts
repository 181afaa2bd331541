import pg from "pg";
import { asAdmin, lockDatabase, lockServer } from "./cluster-admin.ts";
import type { DatabaseAddress, DatabaseProvider, DesiredDatabase } from "./database-provider.ts";
import { furnish, isFurnished } from "./furnish-database.ts";
import { scramVerifier } from "./scram-verifier.ts";

interface SharedClusterOptions {
  /** Connects as a role that may create databases and roles, and the extension `vector`. */
  adminUrl: string;
  /** Connections that one database may have at most; each of its roles may have half of them. */
  connectionLimit?: number;
  /** How long the reader's statements may take. The gateway sets less; this holds whoever connects. */
  readerTimeoutMs?: number;
}

const { escapeIdentifier: name, escapeLiteral: literal } = pg;

/** Many databases on one server, each with an owner and a reader that can enter no other. */
export function sharedCluster(options: SharedClusterOptions): DatabaseProvider {
  const { adminUrl, connectionLimit = 40, readerTimeoutMs = 30_000 } = options;

  return {
    ensure: (desired) =>
      asAdmin(adminUrl, undefined, async (admin) => {
        const { database, owner, reader, open } = desired;
        await lockDatabase(admin, database);
        await lockServer(admin);
        for (const role of [owner, reader]) await ensureRole(admin, role, Math.ceil(connectionLimit / 2));
        await ensureDatabase(admin, desired);
        if (open && !(await isFurnished(admin, desired))) {
          await letIn(admin, database, connectionLimit);
          await asAdmin(adminUrl, database, (inside) => furnish(inside, desired, readerTimeoutMs));
        }
        await letIn(admin, database, open ? connectionLimit : 0);
        for (const { role } of [owner, reader]) {
          await admin.query(`alter role ${name(role)} ${open ? "login" : "nologin"}`);
        }
        await closeToStrangers(admin);
        // Last: who was let in while the above was still to come is seen by now.
        if (!open || desired.endSessions) await endSessions(admin, [owner.role, reader.role]);
        return addressOf(adminUrl);
      }),

    drop: ({ database, ownerRole, readerRole }) =>
      asAdmin(adminUrl, undefined, async (admin) => {
        await lockDatabase(admin, database);
        // Without the server's lock: it waits for every connection of the server, and one that takes its time to log in
        // would keep all databases from being made.
        await dropDatabase(admin, database);
        await lockServer(admin);
        for (const role of [ownerRole, readerRole]) await dropRole(admin, role);
      }),

    closeToStrangers: () =>
      asAdmin(adminUrl, undefined, async (admin) => {
        await lockServer(admin);
        return closeToStrangers(admin);
      }),

    check: () => asAdmin(adminUrl, undefined, checkAdmin),
  };
}

async function exists(admin: pg.Client, kind: "database" | "role", wanted: string): Promise<boolean> {
  const query = {
    database: "select from pg_database where datname = $1",
    role: "select from pg_roles where rolname = $1",
  };
  return (await admin.query(query[kind], [wanted])).rowCount !== 0;
}

/** Without the right to log in, which comes last: until all else is in place nobody enters. */
async function ensureRole(admin: pg.Client, wanted: DesiredDatabase["owner"], limit: number): Promise<void> {
  const role = name(wanted.role);
  if (!(await exists(admin, "role", wanted.role))) await admin.query(`create role ${role} nologin`);
  await admin.query(`alter role ${role} connection limit ${limit} password ${literal(scramVerifier(wanted.password))}`);
  // An administrator that is no superuser can give a database to a role, and end its sessions, only as its member.
  if (!(await isSuperuser(admin))) await admin.query(`grant ${role} to current_user`);
}

async function isSuperuser(admin: pg.Client): Promise<boolean> {
  const { rowCount } = await admin.query("select from pg_roles where rolname = current_user and rolsuper");
  return rowCount !== 0;
}

async function ensureDatabase(admin: pg.Client, { database, owner, reader }: DesiredDatabase): Promise<void> {
  if (!(await exists(admin, "database", database))) {
    // A new database is open to every role of the server, so nobody is let in before that is changed.
    await admin.query(`create database ${name(database)} owner ${name(owner.role)} connection limit 0`);
  }
  await admin.query(`revoke all on database ${name(database)} from public`);
  await admin.query(`grant connect on database ${name(database)} to ${name(owner.role)}, ${name(reader.role)}`);
}

/** An earlier drop that was cut short leaves a database that can be dropped, and nothing else. */
async function dropDatabase(admin: pg.Client, database: string): Promise<void> {
  const { rowCount } = await admin.query("select from pg_database where datname = $1 and datistemplate", [database]);
  // Its owner can make it a template, and a template is not dropped.
  if (rowCount !== 0) await admin.query(`alter database ${name(database)} is_template false`);
  await admin.query(`drop database if exists ${name(database)} with (force)`);
}

async function dropRole(admin: pg.Client, role: string): Promise<void> {
  if (!(await exists(admin, "role", role))) return;
  // What someone granted it on other databases, by hand, would keep it.
  await admin.query(`drop owned by ${name(role)}`);
  await admin.query(`drop role ${name(role)}`);
}

async function letIn(admin: pg.Client, database: string, connections: number): Promise<void> {
  await admin.query(`alter database ${name(database)} connection limit ${connections}`);
}

/** A limit of -2 marks what a drop that was cut short has left. */
const OPEN_TO_ALL = `select datname from pg_database
  where datallowconn and datconnlimit <> -2 and has_database_privilege('public', oid, 'connect')`;

/** By default every role of a server may enter every database on it. What stays open belongs to someone else. */
async function closeToStrangers(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ datname: string }>(OPEN_TO_ALL);
  for (const { datname } of rows) {
    await admin.query(`revoke connect, temporary on database ${name(datname)} from public`).catch((error: unknown) => {
      // Dropped, or changed by someone else, since we looked: the next run looks again.
      if (!isConcurrentChange(error)) throw error;
    });
  }
  if (rows.length === 0) return [];
  return (await admin.query<{ datname: string }>(OPEN_TO_ALL)).rows.map(({ datname }) => datname);
}

function isConcurrentChange(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === "3D000" || (message ?? "").includes("tuple concurrently");
}

async function endSessions(admin: pg.Client, roles: string[]): Promise<void> {
  await admin.query("select pg_terminate_backend(pid, 1000) from pg_stat_activity where usename = any($1)", [roles]);
}

async function checkAdmin(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ may_create: boolean; has_vector: boolean }>(
    `select rolsuper or (rolcreatedb and rolcreaterole) as may_create,
            exists (select from pg_available_extensions where name = 'vector') as has_vector
       from pg_roles where rolname = current_user`,
  );
  if (!rows[0]?.may_create) throw new Error("The administrator needs the rights CREATEDB and CREATEROLE.");
  if (!rows[0].has_vector) throw new Error("Install pgvector on the server of the managed databases.");
}

function addressOf(adminUrl: string): DatabaseAddress {
  const url = new URL(adminUrl);
  const sslmode = url.searchParams.get("sslmode");
  return {
    // An IPv6 address stands in brackets in a URL, and nowhere else.
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port || 5432),
    tls: sslmode !== null && sslmode !== "disable",
  };
}

import { type Kysely as KyselyType, Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { DependencyState } from "@svc/contract";
import { type Logger, observeGauge } from "../telemetry/index.ts";
import { prepareMarked } from "./prepare-marked.ts";

export type Db<Tables = unknown> = KyselyType<Tables>;
export type Tx<Tables = unknown> = Transaction<Tables>;
/** For code that runs its own SQL whatever tables the handle knows of. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDb = KyselyType<any>;

export interface Database<Tables> {
  db: Db<Tables>;
  state(): Promise<DependencyState>;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  log: Logger;
  maxConnections?: number;
  /** The server ends a statement after this; the client gives up a little later. */
  statementTimeoutMs?: number;
}

export function openDatabase<Tables>(options: DatabaseOptions): Database<Tables> {
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000;
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    // A server that vanished without a word ends no statement, so the client counts too.
    query_timeout: statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
  });
  // Without listeners a connection that breaks would end the process: the pool hears of idle ones, and the one in
  // use says it to whoever waits for its query and, once more, to nobody in particular.
  const noteBreak = (error: Error): void => options.log.warn({ reason: error.message }, "a database connection broke");
  pool.on("error", noteBreak);
  pool.on("connect", (client) => {
    client.on("error", noteBreak);
    prepareMarked(client);
  });
  observeGauge("svc_database_connections", "Connections of this process by state.", () => [
    { value: pool.totalCount - pool.idleCount, labels: { state: "busy" } },
    { value: pool.idleCount, labels: { state: "idle" } },
    { value: pool.waitingCount, labels: { state: "waiting" } },
  ]);

  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    state: () =>
      sql`select 1`.execute(db).then(
        () => "up",
        () => "down",
      ),
    close: () => db.destroy(),
  };
}

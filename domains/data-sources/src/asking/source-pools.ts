import { createHash } from "node:crypto";
import { AppError } from "@svc/platform/errors";
import type { Keyring } from "@svc/platform/secrets";
import { type Logger, observeGauge } from "@svc/platform/telemetry";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { connectionOptions } from "../databases/connect.ts";
import type { SourceRow } from "../queries/sources.ts";
import { columnValues } from "./column-values.ts";

/** Connections to customers' databases: few for each, so that a slow one harms nobody else. */
export interface SourcePools {
  /** Rows as arrays, read as the source's reader. The statement ends when the signal says so. */
  query(source: SourceRow, statement: Statement, signal: AbortSignal): Promise<unknown[][]>;
  close(): Promise<void>;
}

interface Statement {
  text: string;
  values: unknown[];
}

interface PoolsOptions {
  keyring: Keyring;
  log: Logger;
  /** Databases with open connections at one time; the one that was asked longest ago gives way. */
  maxPools: number;
  connectionsPerPool: number;
  statementTimeoutMs: number;
}

interface SourcePool {
  pool: pg.Pool;
  /** Kept beside it: a pool does not give its password away again. */
  connection: pg.ClientConfig;
}

const RESULT_TYPE_CHANGED = "0A000";

export function openSourcePools(options: PoolsOptions): SourcePools {
  const ending = new Set<Promise<void>>();
  const pools = new LRUCache<string, SourcePool>({
    max: options.maxPools,
    dispose: ({ pool }) => {
      const end = pool.end().finally(() => ending.delete(end));
      ending.add(end);
    },
  });
  observeGauge("svc_source_connections", "Connections to customers' databases, by state.", () => {
    const all = [...pools.values()].map(({ pool }) => pool);
    const sum = (count: (pool: pg.Pool) => number): number => all.reduce((total, pool) => total + count(pool), 0);
    return [
      { value: sum((pool) => pool.totalCount - pool.idleCount), labels: { state: "busy" } },
      { value: sum((pool) => pool.idleCount), labels: { state: "idle" } },
      { value: sum((pool) => pool.waitingCount), labels: { state: "waiting" } },
    ];
  });

  const poolOf = (source: SourceRow): SourcePool => {
    // With the sealed password in the key a rotation starts a new pool, and the old one is forgotten in time.
    const key = `${source.database_id}/${source.reader_secret}`;
    const known = pools.get(key);
    if (known) return known;
    const connection = connectionOptions(options.keyring, source, "reader");
    const opened = { connection, pool: openPool(connection, options) };
    pools.set(key, opened);
    return opened;
  };

  return {
    query: async (source, statement, signal) => {
      const { pool, connection } = poolOf(source);
      const client = await pool.connect();
      const cancelling = cancelWhenAborted(connection, client, signal);
      let broken: unknown;
      try {
        if (signal.aborted) throw gone();
        return await run(client, statement);
      } catch (error) {
        // What the server said leaves the connection usable; all else does not.
        broken = error instanceof pg.DatabaseError || error instanceof AppError ? undefined : error;
        throw signal.aborted ? gone() : error;
      } finally {
        // Not before the cancelling is through: it must not hit the next one's statement.
        await cancelling.end();
        client.release(broken instanceof Error ? broken : false);
      }
    },
    close: async () => {
      pools.clear();
      await Promise.allSettled(ending);
    },
  };
}

function openPool(connection: pg.ClientConfig, options: PoolsOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    application_name: "svc-questions",
    max: options.connectionsPerPool,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + 1_000,
  });
  const noteBreak = (error: Error): void =>
    options.log.warn({ reason: error.message }, "a connection to a customer's database broke");
  pool.on("error", noteBreak);
  pool.on("connect", (client) => void client.on("error", noteBreak));
  return pool;
}

async function run(client: pg.PoolClient, { text, values }: Statement): Promise<unknown[][]> {
  const query = { text, values, rowMode: "array" as const, types: columnValues };
  try {
    return (await client.query({ ...query, name: statementName(text) })).rows as unknown[][];
  } catch (error) {
    // A column's type was changed since this connection prepared the statement; unnamed it is prepared anew.
    if (!(error instanceof pg.DatabaseError && error.code === RESULT_TYPE_CHANGED)) throw error;
    return (await client.query(query)).rows as unknown[][];
  }
}

const statementNames = new LRUCache<string, string>({ max: 2_000 });

/** Prepared once on each connection: parsing is a good part of a short query. */
function statementName(text: string): string {
  let known = statementNames.get(text);
  if (!known) statementNames.set(text, (known = createHash("sha256").update(text).digest("base64url")));
  return known;
}

/** A statement whose asker is gone is ended on the server, from a connection of its own. */
function cancelWhenAborted(
  connection: pg.ClientConfig,
  client: pg.PoolClient,
  signal: AbortSignal,
): { end(): Promise<void> } {
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    const { processID } = client as unknown as { processID: number };
    cancelled = cancelBackend(connection, processID).catch(() => {
      // It ends by its own time-out then.
    });
  };
  signal.addEventListener("abort", cancel, { once: true });
  return {
    end: async () => {
      signal.removeEventListener("abort", cancel);
      await cancelled;
    },
  };
}

async function cancelBackend(connection: pg.ClientConfig, processId: number): Promise<void> {
  const canceller = new pg.Client({ ...connection, application_name: "svc-questions-cancel" });
  canceller.on("error", () => undefined);
  try {
    await canceller.connect();
    await canceller.query("select pg_cancel_backend($1)", [processId]);
  } finally {
    await canceller.end();
  }
}

function gone(): AppError {
  return new AppError("TIMEOUT", "The caller went away before the answer was there.");
}

import pg from "pg";

/** Any numbers, the same for whoever changes databases and roles of a server: "svcdb" and "svc" in ASCII. */
const SERVER_LOCK = 0x7376636462;
const DATABASE_LOCKS = 0x737663;

/**
 * A connection as the administrator. Its search_path is set by the client, which wins over what the owner of a database
 * can set for it: with `evil, pg_catalog` there, the administrator would call the owner's functions.
 */
export async function asAdmin<T>(
  adminUrl: string,
  database: string | undefined,
  act: (admin: pg.Client) => Promise<T>,
): Promise<T> {
  const url = new URL(adminUrl);
  if (database !== undefined) url.pathname = `/${database}`;
  const admin = new pg.Client({
    connectionString: url.href,
    application_name: "svc-databases",
    connectionTimeoutMillis: 5_000,
    // Longer than the minute that a stranger may take to log in, for which a drop waits.
    statement_timeout: 90_000,
    options: "-c search_path=pg_catalog",
  });
  // Whoever waits for a query hears of a broken connection; without a listener it would also end the process.
  admin.on("error", () => undefined);
  try {
    await admin.connect();
    return await act(admin);
  } finally {
    await admin.end();
  }
}

/**
 * One at a time on a server, until the connection ends: two who change the same row of a shared catalog fail with "tuple
 * concurrently updated".
 */
export async function lockServer(admin: pg.Client): Promise<void> {
  await admin.query("select pg_advisory_lock($1)", [SERVER_LOCK]);
}

/** The same for one database. To be taken before the server's lock, never after it. */
export async function lockDatabase(admin: pg.Client, database: string): Promise<void> {
  await admin.query("select pg_advisory_lock($1, hashtext($2))", [DATABASE_LOCKS, database]);
}

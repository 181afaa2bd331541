import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable, sqlStateOf } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import pg from "pg";
import type { DataSourcesContext } from "../context.ts";
import { connectionOptions } from "../databases/connect.ts";
import { sessionSettings, type SourceSession } from "../queries/catalog.ts";
import type { SourceRow } from "../queries/sources.ts";

const STATEMENT_TIMEOUT_MS = 5_000;

const TIMED_OUT = "57014";

/** Table, column, schema, role or type gone or closed, or in the middle of being changed by someone else. */
const CHANGED_MEANWHILE = new Set([
  "22000",
  "3F000",
  "40001",
  "40P01",
  "42501",
  "42703",
  "42704",
  "42804",
  "42809",
  "42846",
  "42883",
  "42P01",
]);

/** Trouble of the server, of its disk or of the way in. */
const TROUBLE_OF_THE_SERVER = /^(0A|25|28|3D|53|54|55|57|58|F0|XX)/;

/** One connection to the database behind a source, for as long as the act takes. */
export async function withSourceSession<T>(
  { keyring }: Pick<DataSourcesContext, "keyring">,
  source: SourceRow,
  role: "owner" | "reader",
  act: (session: SourceSession) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connectionOptions(keyring, source, role),
    application_name: "svc-configuration",
    // A server that vanished without a word ends no statement, so the client counts too.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
  });
  // Also said to whoever waits for a query; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw unreachable(error);
    });
    const session: SourceSession = {
      query: async <Row extends object>(text: string, values?: unknown[]) => {
        try {
          return (await client.query<Row & pg.QueryResultRow>(text, values)).rows;
        } catch (error) {
          throw toSourceError(error, role);
        }
      },
    };
    await session.query(sessionSettings(STATEMENT_TIMEOUT_MS));
    return await act(session);
  } finally {
    // Saying goodbye to a server that does not answer takes forever.
    await Promise.race([client.end().catch(() => undefined), sleep(1_000, undefined, { ref: false })]);
  }
}

function toSourceError(error: unknown, role: "owner" | "reader"): unknown {
  const state = sqlStateOf(error);
  const message = error instanceof Error ? error.message : "";
  if (state === TIMED_OUT || message === "Query read timeout") {
    return new AppError("TIMEOUT", "The database took longer than 5 seconds. Try again when it is less busy.", {
      cause: causeOf(error),
    });
  }
  if (CHANGED_MEANWHILE.has(state) || message.startsWith("tuple concurrently")) {
    return role === "owner"
      ? new AppError("CONFLICT", "The database's tables were changed at the same moment. Try again.", {
          cause: causeOf(error),
        })
      : new AppError(
          "SEARCH_CONFIGURATION_STALE",
          "The database was changed since its search configuration was saved. Check and save it again.",
          { cause: causeOf(error) },
        );
  }
  if (isDatabaseUnavailable(error) || TROUBLE_OF_THE_SERVER.test(state)) return unreachable(error);
  return error;
}

function unreachable(error: unknown): AppError {
  return new AppError("SOURCE_UNAVAILABLE", "The database cannot be reached or is busy. Try again shortly.", {
    retryAfterSeconds: 2,
    cause: causeOf(error),
  });
}

/** The server's own words may quote the customer's data, so the log gets the code alone. */
function causeOf(error: unknown): Error {
  return new Error(`customer database: ${sqlStateOf(error) || (error instanceof Error ? error.name : "unknown")}`);
}

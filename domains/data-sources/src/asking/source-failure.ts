import { isDatabaseUnavailable, sqlStateOf } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import pg from "pg";

const TIMED_OUT = "57014";

/** The caller's own value: not a date, out of range, a text the encoding has no form for. */
const UNREADABLE_VALUE = new Set(["22P02", "22003", "22007", "22008", "22021", "22P05", "22P03"]);

/**
 * Table, column, operator, type or schema gone, or closed to the reader, or vectors of another length: the database
 * was changed since the configuration was saved.
 */
const CHANGED_SINCE_SAVED = new Set([
  "42P01",
  "42703",
  "42883",
  "42704",
  "3F000",
  "42501",
  "42804",
  "42846",
  "42809",
  "22000",
]);

/**
 * What went wrong in a customer's database, in the asker's words. Of the server's own message only the code is kept:
 * it may quote the question's values or the customer's data, and neither belongs in a log.
 */
export function sourceFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const state = sqlStateOf(error);
  const cause = new Error(`customer database: ${state || (error instanceof Error ? error.name : "unknown")}`);
  if (state === TIMED_OUT) {
    return new AppError("TIMEOUT", "The data source took too long to answer. Ask with a narrower filter.", { cause });
  }
  if (UNREADABLE_VALUE.has(state)) {
    return new AppError("INVALID_FILTER", "A filter has a value that its column cannot have. Check the types.", {
      cause,
    });
  }
  if (CHANGED_SINCE_SAVED.has(state)) {
    return new AppError(
      "SEARCH_CONFIGURATION_STALE",
      "The database was changed since its search configuration was saved. Ask an admin to check and save it again.",
      { cause },
    );
  }
  if (isDatabaseUnavailable(error) || error instanceof pg.DatabaseError || state !== "") {
    return new AppError("SOURCE_UNAVAILABLE", "The data source cannot be reached or is busy. Try again shortly.", {
      retryAfterSeconds: 2,
      cause,
    });
  }
  // No word of the database: a mistake of ours, to be seen as one.
  throw error;
}

import { sqlStateOf } from "./sql-state.ts";

const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);

/** Class 08 is connection trouble, 57P01 to 57P03 shutdown and start-up, 53300 too many connections. */
const SQLSTATE = /^(08\w{3}|57P0[123]|53300)$/;

/** What `pg` says without a code when a connection cannot be had or breaks under a query. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether an error means that the database is away for now, so that the same call may succeed soon. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = sqlStateOf(error);
  return SOCKET_CODES.has(code) || SQLSTATE.test(code) || MESSAGES.test(error.message);
}

/** Postgres' five characters for what went wrong; also the code of a socket that failed. Empty where there is none. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

import type { ErrorCode } from "@svc/contract";

/** What this program itself finds wrong. Its code gives the exit code, as that of the service's problems does. */
export class CliError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, detail: string, options?: { cause: unknown }) {
    super(detail, options);
    this.name = "CliError";
    this.code = code;
  }
}

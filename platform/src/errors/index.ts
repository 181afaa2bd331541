import type { ErrorCode, FieldProblem } from "@svc/contract";

interface AppErrorOptions {
  problems?: FieldProblem[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error that reaches a caller with its own words. `detail` says what to do next. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly problems: FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.problems = options.problems;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

import type { ErrorCode, FieldProblem } from "@svc/contract";

/** What this program itself finds wrong. Its code gives the exit code, as that of the service's problems does. */
export class CliError extends Error {
  readonly code: ErrorCode;
  readonly problems: FieldProblem[] | undefined;

  constructor(code: ErrorCode, detail: string, options: { problems?: FieldProblem[]; cause?: unknown } = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CliError";
    this.code = code;
    this.problems = options.problems;
  }
}

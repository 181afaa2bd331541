import type { Problem } from "@svc/contract";

/** The service's own words about what went wrong. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  /** When to try again, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer, because there was no connection or it broke. That one took too long is a TimeoutError instead. */
export class ConnectionFailed extends Error {
  /** What the system calls it, such as ECONNREFUSED. */
  readonly code: string | undefined;

  constructor(origin: string, cause: unknown) {
    const code = systemCodeOf(cause);
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : "no connection";
    super(`${origin} cannot be reached: ${reason}${code && !reason.includes(code) ? ` (${code})` : ""}`, { cause });
    this.name = "ConnectionFailed";
    this.code = code;
  }
}

/** The built-in fetch wraps what happened, and several tried addresses come as one AggregateError. */
function systemCodeOf(error: unknown): string | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1) {
    if ("code" in inner && typeof inner.code === "string") return inner.code;
  }
  return undefined;
}

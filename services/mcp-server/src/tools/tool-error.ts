import type { ErrorCode, FieldProblem } from "@svc/contract";
import { ApiProblem, ConnectionFailed } from "@svc/http-client";
import { AppError } from "@svc/platform/errors";

/** What the agent is to do next, where the service's own words are for people. */
const NEXT_STEP: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: "Call data_sources_list for the sources that you may ask, and use an id from there.",
  FORBIDDEN: "To try again will not help: tell the person you work for.",
  SEARCH_NOT_CONFIGURED:
    "It cannot be searched until a developer of the organization configures it. Try another source.",
  SEARCH_CONFIGURATION_STALE: "A developer of the organization has to mend its configuration. Try another source.",
  EMBEDDING_FAILED: "Try again in a few seconds.",
  SOURCE_UNAVAILABLE: "Try again in a few seconds, or another source.",
  UNAVAILABLE: "Try again in a few seconds.",
  TIMEOUT: "Try once more, with fewer hits or a filter.",
  PAYLOAD_TOO_LARGE: "Ask a shorter question.",
};

interface Failure {
  code: ErrorCode;
  detail: string;
  problems?: FieldProblem[] | undefined;
  retryAfterSeconds?: number | undefined;
}

/** An error that an agent can act on: the code, what was wrong, what to do. Undefined for what nobody foresaw. */
export function describeToolError(error: unknown): string | undefined {
  const failure = failureOf(error);
  if (!failure) return undefined;
  const { code, detail, problems = [], retryAfterSeconds } = failure;
  const lines = [
    `${code}: ${detail}`,
    ...problems.slice(0, 20).map(({ path, message }) => `- ${path || "input"}: ${message}`),
    retryAfterSeconds === undefined ? (NEXT_STEP[code] ?? "") : `Wait ${retryAfterSeconds} s, then try again.`,
  ];
  return lines.filter(Boolean).join("\n");
}

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ApiProblem) return { ...error.problem, retryAfterSeconds: error.retryAfterSeconds };
  if (error instanceof AppError) {
    const { code, message: detail, problems, retryAfterSeconds } = error;
    return { code, detail, problems, retryAfterSeconds };
  }
  if (error instanceof ConnectionFailed) return { code: "UNAVAILABLE", detail: "The service cannot be reached." };
  if (error instanceof Error && error.name === "TimeoutError") {
    return { code: "TIMEOUT", detail: "The service took too long to answer." };
  }
  return undefined;
}

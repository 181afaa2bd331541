import { ERRORS, type ErrorCode, type FieldProblem, type Problem } from "@svc/contract";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { isDatabaseUnavailable } from "../db/is-database-unavailable.ts";
import { sqlStateOf } from "../db/sql-state.ts";
import { AppError } from "../errors/index.ts";

/** Fastify's own refusals, in our words. */
const FASTIFY_ERRORS: Record<string, { code: ErrorCode; detail: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: "PAYLOAD_TOO_LARGE",
    detail: "The request body is larger than this address takes.",
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: "UNSUPPORTED_MEDIA_TYPE", detail: "Send the body as application/json." },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: "INVALID_REQUEST", detail: "The request needs a JSON body." },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: "INVALID_REQUEST", detail: "The request body is not valid JSON." },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "INVALID_REQUEST",
    detail: "The body is not as long as Content-Length says.",
  },
  FST_ERR_BAD_URL: { code: "INVALID_REQUEST", detail: "The address has an escape that cannot be read." },
  FST_ERR_MAX_PARAM_LENGTH: { code: "NOT_FOUND", detail: "No such address." },
};

const STATEMENT_TIMED_OUT = "57014";
/** A character that no text of Postgres can hold, such as U+0000. */
const NOT_STORABLE = new Set(["22021", "22P05"]);

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = error.validation.map(({ instancePath, params, message }) =>
      fieldProblem(instancePath, params, message ?? "is not valid"),
    );
    return new AppError("INVALID_REQUEST", `The request has ${problems.length} problem(s); see problems.`, {
      problems,
    });
  }
  if (isDatabaseUnavailable(error)) {
    return new AppError("UNAVAILABLE", "The database cannot be reached right now. Try again shortly.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  const code = sqlStateOf(error);
  if (code === STATEMENT_TIMED_OUT) {
    return new AppError("TIMEOUT", "The database took too long to answer. Try again, or ask for less.", {
      cause: error,
    });
  }
  if (NOT_STORABLE.has(code)) {
    return new AppError(
      "INVALID_REQUEST",
      "A text in the request has a character that cannot be stored, such as U+0000.",
      { cause: error },
    );
  }
  const known = FASTIFY_ERRORS[code];
  if (known) return new AppError(known.code, known.detail, { cause: error });
  if (code.startsWith("FST_ERR_CTP_"))
    return new AppError("INVALID_REQUEST", (error as FastifyError).message, { cause: error });
  return new AppError("INTERNAL", "Something went wrong on our side. Give support the X-Request-Id of this answer.", {
    cause: error,
  });
}

function fieldProblem(instancePath: string, params: unknown, message: string): FieldProblem {
  const path = instancePath.replace(/^\//, "").replaceAll("/", ".").slice(0, 500);
  const keys = (params as { keys?: string[] } | undefined)?.keys;
  if (keys)
    return {
      path,
      message: `unknown field: ${keys
        .map((key) => key.slice(0, 60))
        .slice(0, 10)
        .join(", ")}`,
    };
  return { path, message: message.slice(0, 1_000) };
}

function problemOf({ code, message, problems }: AppError): Problem {
  const { status, title } = ERRORS[code];
  return {
    type: `urn:svc:error:${code}`,
    title,
    status,
    detail: message.slice(0, 2_000),
    code,
    ...(problems && { problems: problems.slice(0, 200) }),
  };
}

export async function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const appError = toAppError(error);
  const problem = problemOf(appError);
  if (appError.code === "INTERNAL") request.log.error({ err: appError.cause ?? appError }, "request failed");
  // Known trouble comes in floods, and its stack says nothing: one line with the reason.
  else if (problem.status >= 500) request.log.warn({ reason: String(appError.cause ?? appError) }, "request refused");
  if (appError.retryAfterSeconds !== undefined) reply.header("retry-after", String(appError.retryAfterSeconds));
  if (problem.status === 401) reply.header("www-authenticate", reply.getHeader("www-authenticate") ?? "Bearer");
  // A string passes the route's response schemas by: problems have one shape whatever the route declares.
  return reply
    .code(problem.status)
    .type("application/problem+json; charset=utf-8")
    .serializer((text: string) => text)
    .send(JSON.stringify(problem)) as unknown as string;
}

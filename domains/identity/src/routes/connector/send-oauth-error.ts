import { isDatabaseUnavailable } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { MetadataRefused } from "../../connector/client-metadata.ts";
import { DocumentUnreachable } from "../../connector/metadata-document.ts";
import { RegistrationRefused } from "../../connector/register-client.ts";

interface OAuthError {
  status: number;
  error: string;
  description: string;
  retryAfterSeconds?: number;
}

/** Agents understand OAuth's own shape and no other: RFC 6749 section 5.2, RFC 7591 section 3.2.2. */
export function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, error: code, description, retryAfterSeconds } = toOAuthError(error);
  if (status === 500) request.log.error({ err: error }, "request failed");
  else if (status > 500) request.log.warn({ reason: String(error) }, "request refused");
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return reply.code(status).send({ error: code, error_description: description });
}

function toOAuthError(error: unknown): OAuthError {
  if (error instanceof MetadataRefused) return { status: 400, error: error.code, description: error.message };
  if (error instanceof RegistrationRefused) {
    const { code, message } = error;
    return code === "too_many_clients"
      ? { status: 429, error: code, description: message, retryAfterSeconds: 3_600 }
      : { status: 403, error: code, description: message };
  }
  if (error instanceof DocumentUnreachable) return unavailable(`${error.message}; try again shortly`, 30);
  if (isDatabaseUnavailable(error)) return unavailable("the service cannot reach its database; try again shortly", 1);
  if (error instanceof AppError && error.code === "RATE_LIMITED") {
    const { message, retryAfterSeconds = 60 } = error;
    return { status: 429, error: "temporarily_unavailable", description: message, retryAfterSeconds };
  }
  // What the framework refuses by itself: a body that is too large, of another kind, or no JSON.
  const { statusCode = 500, message = "" } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode < 500) {
    return { status: statusCode === 413 ? 413 : 400, error: "invalid_request", description: message };
  }
  return { status: 500, error: "server_error", description: "it was not you; give support the X-Request-Id" };
}

function unavailable(description: string, retryAfterSeconds: number): OAuthError {
  return { status: 503, error: "temporarily_unavailable", description, retryAfterSeconds };
}

import { isDatabaseUnavailable } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import { noteFailure } from "@svc/platform/http";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { MetadataRefused } from "../../connector/client-metadata.ts";
import { DocumentUnreachable } from "../../connector/metadata-document.ts";
import { CONNECT_PROBLEMS, type ConnectProblemKind, connectProblemPage } from "../../pages/connect-problem-page.ts";
import { sendPage } from "../send-page.ts";

const RETRY_SECONDS = "60";

/** A page, and never a redirect: the agent may not be who it says, and the person is to know. */
export function sendConnectProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: ConnectProblemKind,
  detail?: string,
): FastifyReply {
  if (kind === "throttled" || kind === "unavailable") reply.header("retry-after", RETRY_SECONDS);
  const page = connectProblemPage({ kind, requestId: request.id, ...(detail !== undefined && { detail }) });
  return sendPage(reply, page, CONNECT_PROBLEMS[kind].status);
}

export function sendConnectError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof MetadataRefused || error instanceof DocumentUnreachable) {
    // Fetching costs us more than asking costs them.
    noteFailure(request);
    request.log.warn({ reason: error.message, cause: String(error.cause ?? "") }, "agent refused");
    return sendConnectProblem(request, reply, "refused", error.message);
  }
  if (isDatabaseUnavailable(error)) {
    request.log.warn({ reason: String(error) }, "request refused");
    return sendConnectProblem(request, reply, "unavailable");
  }
  if (error instanceof AppError) {
    return sendConnectProblem(request, reply, error.code === "RATE_LIMITED" ? "throttled" : "expired");
  }
  const { statusCode = 500, validation } = (error ?? {}) as Partial<FastifyError>;
  if (validation || statusCode < 500) return sendConnectProblem(request, reply, "expired");
  request.log.error({ err: error }, "connecting an agent failed");
  return sendConnectProblem(request, reply, "internal");
}

import { isDatabaseUnavailable } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { contentSecurityPolicy, type Page, renderPage } from "../pages/layout.ts";
import { problemPage, PROBLEMS } from "../pages/problem-page.ts";
import { type RefusalKind, SignInRefused } from "../sign-in/refusal.ts";

const RETRY_SECONDS = "60";

export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .headers({
      "content-security-policy": contentSecurityPolicy(page.formTargets ?? []),
      // With no-referrer browsers would name no origin in the page's forms, and isFromHere would refuse them.
      "referrer-policy": "same-origin",
    })
    .send(renderPage(page));
}

export function sendProblemPage(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: RefusalKind,
  redirectTo?: string,
  reference: string = request.id,
): FastifyReply {
  if (PROBLEMS[kind].status === 503 || kind === "throttled") reply.header("retry-after", RETRY_SECONDS);
  return sendPage(reply, problemPage({ kind, redirectTo, requestId: reference }), PROBLEMS[kind].status);
}

/** Which page an error is shown with. What is not expected is logged as such; a refusal with its reason. */
export function refusalOf(request: FastifyRequest, error: unknown): RefusalKind {
  const kind = kindOf(error);
  if (kind === "internal") request.log.error({ err: error }, "sign-in failed");
  else request.log.warn({ kind, reason: error instanceof Error ? error.message : "unknown" }, "sign-in refused");
  return kind;
}

function kindOf(error: unknown): RefusalKind {
  if (error instanceof SignInRefused) return error.kind;
  if (isDatabaseUnavailable(error)) return "unavailable";
  if (error instanceof AppError) {
    if (error.code === "RATE_LIMITED") return "throttled";
    return error.code === "UNAVAILABLE" ? "unavailable" : "bad-request";
  }
  // What the framework refuses by itself: a query or a form that does not fit.
  const { statusCode, validation } = (error ?? {}) as Partial<FastifyError>;
  return validation || (statusCode !== undefined && statusCode < 500) ? "bad-request" : "internal";
}

import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { durationHistogram } from "../telemetry/index.ts";

const durations = durationHistogram(
  "svc_http_request_duration_seconds",
  "Time to answer by method, route pattern and status.",
);
const spans = new WeakMap<FastifyRequest, Span>();

/** One span, one measurement and one log line for each request. Query strings and bodies are in none of them. */
export function observeRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const caller = propagation.extract(context.active(), request.headers);
    const span = trace.getTracer("svc").startSpan(
      `${request.method} ${routeOf(request)}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          "http.request.method": request.method,
          "http.route": routeOf(request),
          "url.scheme": request.protocol,
        },
      },
      caller,
    );
    spans.set(request, span);
    // Everything that follows in this request runs inside the span.
    context.with(trace.setSpan(caller, span), done);
  });

  app.addHook("onResponse", async (request, reply) => {
    const status = reply.statusCode;
    durations(reply.elapsedTime / 1_000, { method: request.method, route: routeOf(request), status });
    request.log.info(
      { method: request.method, route: routeOf(request), status, ms: Math.round(reply.elapsedTime) },
      "request",
    );
    const span = spans.get(request);
    span?.setAttribute("http.response.status_code", status);
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });

  // A caller that went away gets no response, but its span must end all the same.
  app.addHook("onRequestAbort", async (request) => {
    request.log.info({ method: request.method, route: routeOf(request) }, "request aborted by the caller");
    spans.get(request)?.end();
  });
}

/** The pattern, not the address: labels stay bounded and no id or token of a path is recorded. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "unmatched";
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  SimpleSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

interface TelemetryOptions {
  service: string;
  /** OTLP/HTTP address for traces; none means that spans only give ids to logs. */
  traceUrl?: string | undefined;
  /** Share of new traces that are kept, from 0 to 1. */
  traceSampleRatio?: number;
  /** Instead of OTLP, for tests. */
  spanExporter?: SpanExporter;
}

export interface Telemetry {
  serveMetrics(request: IncomingMessage, response: ServerResponse): void;
  stop(): Promise<void>;
}

/** Sets the process-wide tracer and meter. Called once, before anything that makes spans or instruments. */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const resource = resourceFromAttributes({ "service.name": options.service });
  const prometheus = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const meterProvider = new MeterProvider({ resource, readers: [prometheus] });
  const tracerProvider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.traceSampleRatio ?? 1) }),
    spanProcessors: spanProcessors(options),
  });

  metrics.setGlobalMeterProvider(meterProvider);
  trace.setGlobalTracerProvider(tracerProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  // Listens on diagnostics channels, so it sees the built-in fetch too and needs no loader hook.
  const outgoing = new UndiciInstrumentation({ requireParentforSpans: true });
  outgoing.setTracerProvider(tracerProvider);

  return {
    serveMetrics: (request, response) => prometheus.getMetricsRequestHandler(request, response),
    stop: async () => {
      outgoing.disable();
      await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}

function spanProcessors({ spanExporter, traceUrl }: TelemetryOptions): (SimpleSpanProcessor | BatchSpanProcessor)[] {
  if (spanExporter) return [new SimpleSpanProcessor({ exporter: spanExporter })];
  if (traceUrl) return [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: traceUrl }) })];
  return [];
}

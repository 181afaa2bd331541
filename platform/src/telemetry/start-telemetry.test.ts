import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer, type Server } from "../http/index.ts";
import { recordingLogger, waitUntil } from "../testing/index.ts";
import { counter, observeGauge } from "./instruments.ts";
import { startTelemetry, type Telemetry } from "./start-telemetry.ts";

const exporter = new InMemorySpanExporter();
const { log, lines } = recordingLogger();
let telemetry: Telemetry;
let metrics: HttpServer;
let app: Server;
let origin: string;

beforeAll(async () => {
  telemetry = startTelemetry({ service: "test-service", spanExporter: exporter });
  metrics = createHttpServer((request, response) => telemetry.serveMetrics(request, response)).listen(0, "127.0.0.1");
  await once(metrics, "listening");
  app = await createServer({ log, title: "a test" });
  app.get("/things/:id", async (request) => {
    request.log.info("looking");
    return { done: true };
  });
  app.get("/broken", async () => {
    throw new Error("broken");
  });
  // Calls itself, as one service calls another.
  app.get("/outer", async () => (await fetch(`${origin}/things/inner`)).json());
  origin = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  metrics.close();
  await telemetry.stop();
});

async function scrape(): Promise<string> {
  const { port } = metrics.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

describe("metrics", () => {
  it("tell how long requests took, by route pattern and status and never by address", async () => {
    await app.inject("/things/very-secret-id?token=hunter2");
    await app.inject("/nowhere/else");
    await app.inject("/broken");
    const text = await scrape();
    expect(text).toContain("# TYPE svc_http_request_duration_seconds histogram");
    expect(text).toMatch(
      /svc_http_request_duration_seconds_count\{.*method="GET",route="\/things\/:id",status="200".*\} 1/,
    );
    expect(text).toMatch(/svc_http_request_duration_seconds_count\{.*route="unmatched",status="404".*\} 1/);
    expect(text).toMatch(/svc_http_request_duration_seconds_count\{.*route="\/broken",status="500".*\} 1/);
    expect(text).not.toMatch(/very-secret-id|hunter2|nowhere/);
  });

  it("count, and read gauges at each scrape", async () => {
    const eaten = counter("svc_test_eaten_total", "Apples eaten.");
    eaten.add({ kind: "red" });
    eaten.add({ kind: "red" }, 2);
    let left = 7;
    observeGauge("svc_test_left", "Apples left.", async () => [{ value: left, labels: { kind: "red" } }]);
    expect(await scrape()).toMatch(/svc_test_eaten_total\{kind="red".*\} 3/);
    left = 4;
    expect(await scrape()).toMatch(/svc_test_left\{kind="red".*\} 4/);
  });

  it("are still served when a gauge cannot be read", async () => {
    observeGauge("svc_test_broken", "Nothing.", () => Promise.reject(new Error("away")));
    expect(await scrape()).toContain("svc_http_request_duration_seconds");
  });
});

describe("traces", () => {
  it("are named in every log line that is written inside of them", async () => {
    const from = lines.length;
    await trace.getTracer("test").startActiveSpan("work", async (span) => {
      log.info("inside");
      await Promise.resolve();
      log.info("still inside");
      span.end();
      const { traceId, spanId } = span.spanContext();
      expect(lines.slice(from)).toMatchObject([
        { trace_id: traceId, span_id: spanId },
        { trace_id: traceId, span_id: spanId },
      ]);
    });
  });

  it("go on from the caller's, and the log of the request names them", async () => {
    const from = lines.length;
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    await app.inject({ url: "/things/1", headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });
    const written = lines.slice(from).filter((line) => line["request_id"] !== undefined);
    expect(written.map(({ msg }) => msg)).toEqual(["looking", "request"]);
    expect(new Set(written.map((line) => line["trace_id"]))).toEqual(new Set([traceId]));
    const span = exporter.getFinishedSpans().find((finished) => finished.spanContext().traceId === traceId);
    expect(span).toMatchObject({ name: "GET /things/:id", attributes: { "http.response.status_code": 200 } });
  });

  it("follow a call from one service to another", async () => {
    exporter.reset();
    expect((await fetch(`${origin}/outer`)).status).toBe(200);
    const isFinished = (route: string): boolean =>
      exporter.getFinishedSpans().some(({ name }) => name === `GET ${route}`);
    await waitUntil(() => isFinished("/outer") && isFinished("/things/:id"));
    const spans = exporter.getFinishedSpans();
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  it("mark a failed request as failed, without its address", async () => {
    exporter.reset();
    await app.inject("/broken?token=hunter2");
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name: "GET /broken", status: { code: 2 } });
    expect(JSON.stringify(span?.attributes)).not.toContain("hunter2");
  });
});

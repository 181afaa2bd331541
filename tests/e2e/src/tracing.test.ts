import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { prepareStack, type PrivateServices, type Stack, startPrivateServices } from "@svc/dev";

interface SeenSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
}

let services: PrivateServices;
let stack: Stack;
let collector: Server;
const spans: SeenSpan[] = [];

/** Receives OTLP over HTTP as a collector does, and keeps the spans in memory. */
function startCollector(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
        const service = resource.attributes.find(({ key }: { key: string }) => key === "service.name").value
          .stringValue;
        for (const scope of scopeSpans) spans.push(...scope.spans.map((span: SeenSpan) => ({ ...span, service })));
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  collector = await startCollector();
});

afterAll(async () => {
  await stack?.stop();
  collector?.close();
  await services?.destroy();
});

it("shows one request through both services as one trace, whose id is in the logs of both", async () => {
  const port = (collector.address() as AddressInfo).port;
  const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces` };
  await stack.start("auth-service", env);
  const gateway = await stack.start("api-gateway", env);
  const headers = { authorization: `Bearer ${await stack.issueToken()}` };
  expect((await fetch(`${gateway.url}/api/me`, { headers })).status).toBe(200);
  // Stopping sends what is still held back.
  await stack.stop();

  const incoming = spans.find(({ service, name }) => service === "api-gateway" && name === "GET /api/me");
  const validated = spans.find(
    ({ service, name }) => service === "auth-service" && name === "POST /api/v1/tokens/validate",
  );
  expect(incoming).toBeDefined();
  expect(validated?.traceId).toBe(incoming?.traceId);
  const outgoing = spans.find(({ spanId }) => spanId === validated?.parentSpanId);
  expect(outgoing).toMatchObject({ service: "api-gateway", parentSpanId: incoming?.spanId });
  for (const service of ["api-gateway", "auth-service"]) {
    const requests = (stack.lines[service] ?? []).filter((line) => line.includes('"msg":"request"'));
    expect(requests.some((line) => JSON.parse(line).trace_id === incoming?.traceId)).toBe(true);
  }
});

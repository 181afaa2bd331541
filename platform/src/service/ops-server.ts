import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { Telemetry } from "../telemetry/index.ts";
import type { ReadinessChecks } from "./readiness.ts";

export type OpsPage = () => Promise<object>;

interface OpsOptions {
  host: string;
  port: number;
  telemetry: Telemetry;
  readiness: ReadinessChecks;
  /** Further read-only pages for operators, by path. */
  pages: ReadonlyMap<string, OpsPage>;
}

/** For the orchestrator and the operator: /healthz, /readyz, /metrics. Plain http, few routes, no framework. */
export async function startOpsServer({ host, port, telemetry, readiness, pages }: OpsOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    if (request.method !== "GET") return sendJson(response, 405, { detail: "only GET" });
    if (path === "/metrics") return telemetry.serveMetrics(request, response);
    answer(path).then(
      ([status, body]) => sendJson(response, status, body),
      () => sendJson(response, 503, { detail: "cannot be read right now" }),
    );
  });

  const answer = async (path: string): Promise<[number, object]> => {
    if (path === "/healthz") return [200, { alive: true }];
    if (path === "/readyz") {
      const state = await readiness.read();
      return [state.ready ? 200 : 503, state];
    }
    const page = pages.get(path);
    if (page) return [200, await page()];
    return [404, { detail: `one of: ${["/healthz", "/readyz", "/metrics", ...pages.keys()].join(" ")}` }];
  };

  server.listen(port, host);
  await once(server, "listening");
  return server;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
}

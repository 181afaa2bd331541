import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { DependencyState } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTelemetry, type Telemetry } from "../telemetry/index.ts";
import { startOpsServer } from "./ops-server.ts";
import { createReadiness } from "./readiness.ts";

let state: DependencyState = "up";
let telemetry: Telemetry;
let server: Server;
let origin: string;

beforeAll(async () => {
  telemetry = startTelemetry({ service: "test" });
  const readiness = createReadiness(() => false);
  readiness.add("database", () => state);
  const pages = new Map([
    ["/dead-letters", async () => ({ items: [1, 2] })],
    ["/broken", () => Promise.reject(new Error("password=hunter2"))],
  ]);
  server = await startOpsServer({ host: "127.0.0.1", port: 0, telemetry, readiness, pages });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await telemetry.stop();
});

const ask = async (path: string, init?: RequestInit): Promise<[number, unknown]> => {
  const response = await fetch(origin + path, init);
  return [response.status, await response.json()];
};

describe("the operator's port", () => {
  it("says that the process is alive, whatever it depends on", async () => {
    state = "down";
    expect(await ask("/healthz")).toEqual([200, { alive: true }]);
  });

  it.each([
    ["up", 200],
    ["degraded", 200],
    ["down", 503],
  ] as const)("answers the question for readiness with the database %s by %i", async (given, status) => {
    state = given;
    const ready = status === 200;
    expect(await ask("/readyz?verbose")).toEqual([status, { ready, dependencies: { database: { state: given } } }]);
  });

  it("serves metrics for Prometheus", async () => {
    const response = await fetch(`${origin}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(await response.text()).toContain("target_info");
  });

  it("serves the pages of the service, and says so when one cannot be read", async () => {
    expect(await ask("/dead-letters")).toEqual([200, { items: [1, 2] }]);
    expect(await ask("/broken")).toEqual([503, { detail: "cannot be read right now" }]);
  });

  it("lists what there is to those who ask for something else, and changes nothing for anybody", async () => {
    expect(await ask("/")).toEqual([404, { detail: "one of: /healthz /readyz /metrics /dead-letters /broken" }]);
    for (const method of ["POST", "DELETE"]) {
      expect(await ask("/healthz", { method })).toEqual([405, { detail: "only GET" }]);
    }
  });
});

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitUntil } from "../testing/index.ts";
import { exchange } from "./exchange.ts";

let server: Server;
let url: URL;
let answer: (response: ServerResponse, request: IncomingMessage) => void;
let connections = 0;
let seen: { method: string | undefined; headers: IncomingMessage["headers"]; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      seen.push({ method: request.method, headers: request.headers, body });
      answer(response, request);
    });
  }).listen(0, "127.0.0.1");
  server.on("connection", () => (connections += 1));
  await once(server, "listening");
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  answer = (response) => response.end("{}");
});

const send = (options: { body?: string; timeoutMs?: number; signal?: AbortSignal } = {}) =>
  exchange(url, { method: "POST", headers: { accept: "application/json" }, timeoutMs: 5_000, ...options });
const failureOf = (sent: Promise<unknown>) => sent.catch((error: unknown) => error);

describe("an exchange", () => {
  it("brings status, headers and text, whatever the status is", async () => {
    answer = (response) => response.writeHead(418, { "x-kind": "pot" }).end("ü€");
    expect(await send({ body: "ü" })).toMatchObject({ status: 418, headers: { "x-kind": "pot" }, text: "ü€" });
    expect(seen).toMatchObject([{ method: "POST", body: "ü", headers: { "content-length": "2" } }]);
  });

  it("goes over the connection of the one before", async () => {
    await send();
    const before = connections;
    for (let n = 0; n < 20; n += 1) await send({ body: String(n) });
    expect(connections).toBe(before);
  });

  it("is made anew when the connection was closed meanwhile", async () => {
    await send();
    server.closeIdleConnections();
    await waitUntil(async () => {
      const { text } = (await failureOf(send())) as { text?: string };
      return text === "{}";
    });
    expect((await send()).status).toBe(200);
  });

  it("follows nobody elsewhere", async () => {
    answer = (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    expect(await send()).toMatchObject({ status: 302 });
  });

  it.each([
    ["before the answer", () => undefined],
    ["in the middle of it", (response: ServerResponse) => response.write("{")],
  ])("ends with a TimeoutError when nothing comes %s", async (_when, silence) => {
    answer = (response) => void silence(response);
    expect(await failureOf(send({ timeoutMs: 100 }))).toMatchObject({ name: "TimeoutError" });
  });

  it("ends when it is told to, and tells the other side", async () => {
    let isClosed = false;
    const stop = new AbortController();
    answer = (response) => {
      response.once("close", () => (isClosed = true));
      stop.abort(new Error("enough"));
    };
    expect(await failureOf(send({ signal: stop.signal }))).toMatchObject({ message: "enough" });
    await waitUntil(() => isClosed);
    expect(await failureOf(send({ signal: AbortSignal.abort(new Error("never")) }))).toMatchObject({
      message: "never",
    });
  });

  it("fails with what the connection failed with", async () => {
    answer = (response) => response.destroy();
    expect(await failureOf(send())).toMatchObject({ code: "ECONNRESET" });
    const nobody = new URL("http://127.0.0.1:1/");
    expect(await failureOf(exchange(nobody, { method: "GET", headers: {}, timeoutMs: 1_000 }))).toMatchObject({
      code: "ECONNREFUSED",
    });
  });

  it("takes no answer without end", async () => {
    answer = (response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    };
    expect(await failureOf(send())).toMatchObject({ message: expect.stringContaining("more than") });
  });
});

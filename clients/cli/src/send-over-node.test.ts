import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { ConnectionFailed, type SendRequest } from "@svc/http-client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sendOverNode } from "./send-over-node.ts";

let server: Server;
let url: URL;
let answer: (response: ServerResponse) => void;
let seen: { method: string | undefined; headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      seen.push({ method: request.method, headers: request.headers, body });
      answer(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?a=b`);
});
afterAll(() => server.close());
afterEach(() => {
  seen = [];
  vi.unstubAllEnvs();
});

const request = (given: Partial<SendRequest> = {}): SendRequest => ({
  method: "GET",
  headers: { accept: "application/json" },
  timeoutMs: 5_000,
  onSent: () => undefined,
  ...given,
});
const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("sending over Node.js' own HTTP", () => {
  it("sends method, headers and body, and reads the answer", async () => {
    answer = (response) => response.writeHead(201, { "Retry-After": "7" }).end('{"made":"ü"}');
    const onSent = vi.fn<() => void>();
    const headers = { accept: "application/json", "content-type": "application/json" };
    const response = await sendOverNode(url, request({ method: "POST", headers, body: '{"a":"ü"}', onSent }));
    expect(response).toMatchObject({ ok: true, status: 201 });
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("Retry-After")).toBe("7");
    expect(response.headers.get("x-none")).toBeNull();
    expect(await response.json()).toEqual({ made: "ü" });
    expect(seen).toMatchObject([{ method: "POST", body: '{"a":"ü"}', headers: { "content-length": "10" } }]);
    expect(onSent).toHaveBeenCalledOnce();
  });

  it("asks for the connection to be closed, so that nothing is open at the end", async () => {
    answer = (response) => response.end("{}");
    await (await sendOverNode(url, request())).json();
    expect(seen[0]?.headers["connection"]).toBe("close");
    await vi.waitFor(async () => {
      const open = await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
      expect(open).toBe(0);
    });
  });

  it("calls what is not JSON a syntax error", async () => {
    answer = (response) => response.writeHead(502).end("<html>");
    const response = await sendOverNode(url, request());
    expect(response).toMatchObject({ ok: false, status: 502 });
    expect(await failureOf(response.json())).toBeInstanceOf(SyntaxError);
  });

  it("gives up on a server that does not answer, or does not finish", async () => {
    answer = () => undefined;
    expect(await failureOf(sendOverNode(url, request({ timeoutMs: 100 })))).toMatchObject({ name: "TimeoutError" });
    answer = (response) => response.write("{");
    const response = await sendOverNode(url, request({ timeoutMs: 300 }));
    expect(await failureOf(response.json())).toMatchObject({ name: "TimeoutError" });
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    answer = () => stop.abort(new Error("enough"));
    expect(await failureOf(sendOverNode(url, request({ signal: stop.signal })))).toMatchObject({ message: "enough" });
  });

  it("says that a connection broke", async () => {
    answer = (response) => response.destroy();
    const error = await failureOf(sendOverNode(url, request()));
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(error).toMatchObject({ code: "ECONNRESET" });
    answer = (response) => {
      response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy());
    };
    const response = await sendOverNode(url, request());
    expect(await failureOf(response.json())).toBeInstanceOf(ConnectionFailed);
  });

  it("reads no endless answer", async () => {
    answer = (response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const pour = (): void => {
        if (!response.destroyed) response.write(chunk, pour);
      };
      pour();
    };
    const response = await sendOverNode(url, request({ timeoutMs: 15_000 }));
    await expect(response.json()).rejects.toThrow("it answers more than 33554432 bytes");
  });

  it("goes through the proxy of the environment, except to where it should not", async () => {
    const asked: string[] = [];
    const proxy = createServer((through, response) => {
      asked.push(through.url ?? "");
      response.end("{}");
    }).listen(0, "127.0.0.1");
    // What goes on to another machine over TLS asks the proxy for a tunnel.
    proxy.on("connect", (through, socket) => {
      asked.push(`CONNECT ${through.url}`);
      socket.end("HTTP/1.1 502 No\r\n\r\n");
    });
    await once(proxy, "listening");
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    vi.stubEnv("HTTP_PROXY", address);
    vi.stubEnv("HTTPS_PROXY", address);
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    await sendOverNode(new URL("http://service.invalid/path"), request());
    await failureOf(sendOverNode(new URL("https://service.invalid/path"), request()));
    answer = (response) => response.end("{}");
    await sendOverNode(url, request());
    expect(asked).toEqual(["http://service.invalid/path", "CONNECT service.invalid:443"]);
    expect(seen).toHaveLength(1);
    proxy.closeAllConnections();
    proxy.close();
  });

  it("reaches a server by any of its addresses", async () => {
    answer = (response) => response.end("{}");
    const port = url.port;
    const isReachable = await new Promise((resolve) => {
      connect(Number(port), "localhost")
        .once("connect", () => resolve(true))
        .once("error", () => resolve(false));
    });
    expect(isReachable).toBe(true);
    expect(await sendOverNode(new URL(`http://localhost:${port}/`), request())).toMatchObject({ status: 200 });
  });
});

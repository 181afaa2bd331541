import { spawnSync } from "node:child_process";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiProblem, ConnectionFailed, createApiClient } from "./index.ts";
import { type LoopbackServer, startLoopbackServer } from "./testing/loopback-server.ts";

let server: LoopbackServer;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = await startLoopbackServer((response) => answer(response));
});
afterAll(() => server.stop());
beforeEach(() => server.received.splice(0));

const client = (options: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  createApiClient({ baseUrl: server.baseUrl, token: () => "svc_token", ...options });
const failureOf = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);
const problem = (status: number, code: string) => ({
  type: `urn:svc:error:${code}`,
  title: "No",
  status,
  detail: "Why",
  code,
});

describe("a call that fails", () => {
  it("says when to try again, where the service did", async () => {
    answer = (response) =>
      response.writeHead(429, { "retry-after": "30" }).end(JSON.stringify(problem(429, "RATE_LIMITED")));
    expect(await failureOf(client().whoAmI())).toMatchObject({
      problem: { code: "RATE_LIMITED" },
      retryAfterSeconds: 30,
    });
  });

  it.each(["", "-1", "soon", "Wed, 21 Oct 2026 07:28:00 GMT"])(
    "leaves a Retry-After of %j alone",
    async (retryAfter) => {
      answer = (response) =>
        response.writeHead(503, { "retry-after": retryAfter }).end(JSON.stringify(problem(503, "UNAVAILABLE")));
      const error = await failureOf(client().whoAmI());
      expect(error).toBeInstanceOf(ApiProblem);
      expect(error).toMatchObject({ retryAfterSeconds: undefined });
    },
  );

  it.each([
    [400, "INVALID_REQUEST"],
    [409, "CONFLICT"],
    [418, "INTERNAL"],
  ])("takes a code of %i that came later for %s and keeps the words", async (status, code) => {
    answer = (response) => response.writeHead(status).end(JSON.stringify(problem(status, "BRAND_NEW")));
    expect(await failureOf(client().whoAmI())).toMatchObject({ message: "Why", problem: { status, code } });
  });

  it("sends its token nowhere else, and says where the service is instead", async () => {
    const other = await startLoopbackServer((response) => response.end("{}"));
    answer = (response) => response.writeHead(301, { location: `${other.baseUrl}/api/me` }).end();
    await expect(client().whoAmI()).rejects.toThrow(`answered 301 and points to ${other.baseUrl}; use that address`);
    expect(other.received).toEqual([]);
    other.stop();
  });

  it("tells a broken connection from an answer that is not JSON", async () => {
    answer = (response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"kind"');
      setImmediate(() => response.destroy());
    };
    expect(await failureOf(client().whoAmI())).toBeInstanceOf(ConnectionFailed);
  });

  it("names a refused connection by its code", async () => {
    const gone = await startLoopbackServer(() => undefined);
    gone.stop();
    const lost = createApiClient({ baseUrl: gone.baseUrl, token: () => "svc_token" });
    const error = await failureOf(lost.whoAmI());
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(error).toMatchObject({
      message: `${gone.baseUrl} cannot be reached: fetch failed (ECONNREFUSED)`,
      code: "ECONNREFUSED",
    });
  });

  it("gives up on an answer that never ends", async () => {
    answer = (response) => response.write("{");
    expect(await failureOf(client({ timeoutMs: 200 }).whoAmI())).toMatchObject({ name: "TimeoutError" });
  });

  it("stops when it is told to", async () => {
    const stop = new AbortController();
    answer = () => stop.abort(new Error("enough"));
    expect(await failureOf(client({ signal: stop.signal }).whoAmI())).toMatchObject({ message: "enough" });
  });

  it("passes on what the sender itself says", async () => {
    const own = new Error("no token to renew with");
    const renewing = createApiClient({
      baseUrl: server.baseUrl,
      token: () => "svc_token",
      fetch: () => Promise.reject(own),
    });
    expect(await failureOf(renewing.whoAmI())).toBe(own);
  });
});

it("loads no schema before the first request has arrived", () => {
  const program = `
    import { registerHooks } from "node:module";
    import { createServer } from "node:http";
    const seen = [];
    registerHooks({ load: (url, context, next) => {
      if (url.includes("/contract/") || url.includes("/zod/")) seen.push("schemas");
      return next(url, context);
    } });
    const { createApiClient } = await import("@svc/http-client");
    const server = createServer((_request, response) => { seen.push("request"); response.end("{}"); });
    server.listen(0, "127.0.0.1", async () => {
      const baseUrl = "http://127.0.0.1:" + server.address().port;
      await createApiClient({ baseUrl, token: () => "t" }).listDatabases().catch(() => undefined);
      process.stdout.write([...new Set(seen)].join(" "));
      server.close();
    });
  `;
  // By its own name, as others import it.
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=svc-source", "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname, encoding: "utf8", env: { PATH: process.env["PATH"] } },
  );
  expect(stderr).toBe("");
  expect(stdout).toBe("request schemas");
});

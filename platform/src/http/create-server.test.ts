import { once } from "node:events";
import { Agent, get, type IncomingMessage, request as startRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { recordingLogger, waitUntil } from "../testing/index.ts";
import { createServer, type Server } from "./create-server.ts";
import { problems } from "./openapi.ts";

const { log, lines } = recordingLogger();
let draining = false;
let app: Server;

beforeAll(async () => {
  app = await createServer({ log, title: "a test", bodyLimitBytes: 1_000, isDraining: () => draining });
  app.post(
    "/things/:id",
    {
      schema: {
        summary: "Change a thing",
        params: z.strictObject({ id: z.string().max(40) }),
        body: z.strictObject({ name: z.string().max(10) }),
        response: { 200: z.strictObject({ name: z.string() }), ...problems(400, 404) },
      },
    },
    async ({ body }) => ({ name: body.name }),
  );
  app.get("/hello", { schema: { response: { 200: z.strictObject({ hello: z.string() }) } } }, async () => ({
    hello: "world",
  }));
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

describe("every answer", () => {
  it.each(["/hello", "/nowhere", "/%zz"])("of %s has the security headers", async (url) => {
    const { headers } = await app.inject(url);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
    });
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers).not.toHaveProperty("server");
  });

  it("repeats the request id that a proxy gave, in the header and in the log", async () => {
    const { headers } = await app.inject({ url: "/hello", headers: { "x-request-id": "proxy-id_12345" } });
    expect(headers["x-request-id"]).toBe("proxy-id_12345");
    expect(lines.filter((line) => line["request_id"] === "proxy-id_12345")).toMatchObject([
      { msg: "request", method: "GET", route: "/hello", status: 200 },
    ]);
  });

  it.each([
    ["too short", "abc"],
    ["too long", "a".repeat(65)],
    ["with a blank", "abcdefgh ijkl"],
    ["with what could forge a log line", 'abcdefgh"}{'],
    ["empty", ""],
  ])("has a fresh request id where the one given is %s", async (_what, given) => {
    const first = await app.inject({ url: "/hello", headers: { "x-request-id": given } });
    const second = await app.inject({ url: "/hello", headers: { "x-request-id": given } });
    expect(first.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  });
});

describe("the log", () => {
  it("has one line for a request, without its address, query string or body", async () => {
    const from = lines.length;
    await app.inject({ method: "POST", url: "/things/t0psecret?token=hunter2", payload: { name: "sensitive" } });
    expect(lines.slice(from)).toMatchObject([{ msg: "request", method: "POST", route: "/things/:id", status: 200 }]);
    expect(JSON.stringify(lines.slice(from))).not.toMatch(/t0psecret|hunter2|sensitive/);
  });
});

describe("the description of the service", () => {
  it("lists every route with its schemas and the errors it declares", async () => {
    const document = (await app.inject("/openapi.json")).json();
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "a test" } });
    expect(Object.keys(document.paths)).toEqual(["/things/{id}", "/hello"]);
    const operation = document.paths["/things/{id}"].post;
    expect(operation.summary).toBe("Change a thing");
    expect(operation.requestBody.content["application/json"].schema).toMatchObject({
      properties: { name: { type: "string", maxLength: 10 } },
      additionalProperties: false,
    });
    expect(Object.keys(operation.responses)).toEqual(["200", "400", "404"]);
    expect(operation.responses["404"].content["application/problem+json"].schema.required).toContain("code");
  });
});

describe("a connection", () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => agent.destroy());

  const request = async (path: string): Promise<IncomingMessage> => {
    const { port } = app.server.address() as AddressInfo;
    const [answer] = (await once(get({ port, path, agent }), "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
    return answer;
  };

  it("stays open in normal service and is closed after the answer while the service drains", async () => {
    const first = await request("/hello");
    expect(first.headers.connection).toBe("keep-alive");
    draining = true;
    try {
      for (const path of ["/hello", "/nowhere"]) {
        const answer = await request(path);
        expect(answer.headers.connection).toBe("close");
        expect(answer.statusCode).toBe(path === "/hello" ? 200 : 404);
      }
    } finally {
      draining = false;
    }
  });

  it("that a caller breaks off in the middle of a request is logged and harms nobody else", async () => {
    const { port } = app.server.address() as AddressInfo;
    const headers = { "content-type": "application/json", "content-length": 500 };
    const broken = startRequest({ port, path: "/things/1", method: "POST", headers });
    broken.on("error", () => undefined);
    broken.write('{"name":');
    await once(app.server, "request");
    broken.destroy();
    await waitUntil(() => lines.some(({ msg }) => msg === "request aborted by the caller"));
    expect((await request("/hello")).statusCode).toBe(200);
  });
});

describe("a request that is not even HTTP", () => {
  it("is answered with 400 and reaches no handler", async () => {
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
    socket.end("BLA BLA BLA\r\n\r\n");
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

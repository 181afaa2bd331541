import { ERRORS, type ErrorCode, problemSchema } from "@svc/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openDatabase } from "../db/index.ts";
import { AppError } from "../errors/index.ts";
import { recordingLogger, servicesUnderTest, silentLogger } from "../testing/index.ts";
import { createServer, type Server } from "./create-server.ts";

const { log, lines } = recordingLogger();
const slow = openDatabase<unknown>({
  url: servicesUnderTest().postgresAdminUrl,
  name: "test",
  log: silentLogger(),
  statementTimeoutMs: 100,
});
const away = openDatabase<unknown>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log: silentLogger() });
let app: Server;

const thing = z.strictObject({
  name: z.string().max(10),
  size: z.int(),
  parts: z.array(z.strictObject({ id: z.string().max(5) })).max(3),
  labels: z.record(z.string().max(40), z.string().max(5)).optional(),
});

beforeAll(async () => {
  app = await createServer({ log, title: "a test", bodyLimitBytes: 5_000 });
  app.post("/things", { schema: { body: thing } }, async () => ({ done: true }));
  app.get("/search", { schema: { querystring: z.strictObject({ limit: z.coerce.number() }) } }, async () => ({}));
  app.get("/short/:id", async () => ({}));
  app.get("/unexpected", async () => {
    throw new Error("password=hunter2", { cause: new Error("the cause") });
  });
  app.get("/timeout", () => sql`select pg_sleep(10)`.execute(slow.db));
  app.get("/away", () => sql`select 1`.execute(away.db));
  app.get("/mismatch", { schema: { response: { 200: z.strictObject({ id: z.string() }) } } }, async () => {
    return { id: 7, password: "hunter2" } as unknown as { id: string };
  });
  app.get("/error/:code", async (request) => {
    const { code } = request.params as { code: ErrorCode };
    throw new AppError(code, "Do this next.", {
      ...(code === "RATE_LIMITED" && { retryAfterSeconds: 30 }),
      problems: [{ path: "a.b", message: "is wrong" }],
      cause: new Error("hunter2"),
    });
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await Promise.all([slow.close(), away.close()]);
});

const post = (payload: string, type = "application/json") =>
  app.inject({ method: "POST", url: "/things", payload, headers: { "content-type": type } });

describe("an error", () => {
  it.each(Object.entries(ERRORS))("%s is answered as the contract says", async (code, { status, title }) => {
    const answer = await app.inject(`/error/${code}`);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(answer.headers["retry-after"]).toBe(code === "RATE_LIMITED" ? "30" : undefined);
    expect(answer.headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
    expect(answer.json()).toEqual({
      type: `urn:svc:error:${code}`,
      title,
      status,
      detail: "Do this next.",
      code,
      problems: [{ path: "a.b", message: "is wrong" }],
    });
    expect(problemSchema.safeParse(answer.json()).success).toBe(true);
  });

  it.each(["/nowhere", "/error/CONFLICT", "/unexpected", "/mismatch", "/search", "/%zz"])(
    "of %s is equal to the next of its kind, byte for byte, but for the request id and the date",
    async (url) => {
      const [one, two] = [await app.inject(url), await app.inject(url)].map(({ headers, rawPayload, statusCode }) => {
        const { "x-request-id": id, date: _date, ...same } = headers;
        return { id, same: { headers: same, body: rawPayload.toString("hex"), statusCode } };
      });
      expect(one?.same).toEqual(two?.same);
      expect(one?.id).not.toEqual(two?.id);
      expect(one?.same.statusCode).toBeGreaterThanOrEqual(400);
    },
  );
});

describe("a request that is refused before any handler runs", () => {
  it.each([
    ["to an unknown address", () => app.inject("/nowhere"), "NOT_FOUND", "No such address."],
    ["with an unknown method", () => app.inject({ method: "DELETE", url: "/things" }), "NOT_FOUND", "No such address."],
    [
      "with a part of the address too long",
      () => app.inject(`/short/${"x".repeat(201)}`),
      "NOT_FOUND",
      "No such address.",
    ],
    [
      "with a broken escape",
      () => app.inject("/%zz"),
      "INVALID_REQUEST",
      "The address has an escape that cannot be read.",
    ],
    [
      "with a body too large",
      () => post(`"${"x".repeat(5_000)}"`),
      "PAYLOAD_TOO_LARGE",
      "The request body is larger than this address takes.",
    ],
    ["with broken JSON", () => post('{"name":'), "INVALID_REQUEST", "The request body is not valid JSON."],
    [
      "with a prototype in its JSON",
      () => post('{"__proto__":{}}'),
      "INVALID_REQUEST",
      "The request body is not valid JSON.",
    ],
    ["without a body", () => post(""), "INVALID_REQUEST", "The request needs a JSON body."],
    ["with XML", () => post("<a/>", "application/xml"), "UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json."],
    ["with plain text", () => post("{}", "text/plain"), "UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json."],
  ] as const)("%s says so", async (_what, send, code, detail) => {
    const answer = await send();
    expect(answer.json()).toEqual({
      type: `urn:svc:error:${code}`,
      title: ERRORS[code].title,
      status: ERRORS[code].status,
      detail,
      code,
    });
    expect(answer.statusCode).toBe(ERRORS[code].status);
    expect(answer.headers["x-request-id"]).toBeDefined();
  });
});

describe("a body that does not fit its schema", () => {
  it("is told every problem at once, with where it is", async () => {
    const answer = await post(JSON.stringify({ name: "x".repeat(11), size: "big", parts: [{ id: "1" }, { id: 2 }] }));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "INVALID_REQUEST",
      detail: "The request has 3 problem(s); see problems.",
    });
    expect(answer.json().problems.map(({ path }: { path: string }) => path)).toEqual(["name", "size", "parts.1.id"]);
  });

  it("is told its unknown fields by name", async () => {
    const answer = await post(JSON.stringify({ name: "x", size: 1, parts: [{ id: "1", colour: 1 }], admin: true }));
    expect(answer.json().problems).toEqual([
      { path: "parts.0", message: "unknown field: colour" },
      { path: "", message: "unknown field: admin" },
    ]);
  });

  it("is told about a query string too", async () => {
    const { problems } = (await app.inject("/search?limit=many&page=2")).json();
    expect(problems).toHaveLength(2);
    expect(problems).toContainEqual({ path: "", message: "unknown field: page" });
  });

  it("gets an answer within the limits of the contract, however absurd its fields", async () => {
    const absurd = Object.fromEntries(Array.from({ length: 3 }, (_, at) => ["k".repeat(1_000) + at, "v"]));
    for (const body of [{ labels: absurd }, absurd]) {
      const answer = await post(JSON.stringify({ name: "x", size: 1, parts: [], ...body }));
      expect(answer.statusCode).toBe(400);
      expect(problemSchema.safeParse(answer.json()).error).toBeUndefined();
    }
  });
});

describe("what goes wrong on our side", () => {
  it("is a 500 that shows nothing of the error, which is logged once with its cause", async () => {
    const from = lines.length;
    const answer = await app.inject("/unexpected");
    expect(answer.statusCode).toBe(500);
    expect(answer.json().detail).toContain("X-Request-Id");
    expect(answer.payload).not.toMatch(/hunter2|cause|unexpected/);
    const errors = lines.slice(from).filter(({ err }) => err);
    expect(errors).toMatchObject([
      { level: "error", msg: "request failed", request_id: answer.headers["x-request-id"] },
    ]);
    expect(errors[0]?.err).toMatchObject({ type: "Error", message: expect.stringContaining("password=hunter2") });
    expect(JSON.stringify(errors[0]?.err)).toContain("the cause");
  });

  it("is a 500 that leaks nothing when an answer does not fit its schema", async () => {
    const answer = await app.inject("/mismatch");
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: "INTERNAL" });
    expect(answer.payload).not.toMatch(/hunter2|password|7/);
  });

  it("is a 503 to be tried again while the database cannot be reached", async () => {
    const answer = await app.inject("/away");
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.json()).toMatchObject({ code: "UNAVAILABLE", detail: expect.stringContaining("database") });
    expect(answer.payload).not.toContain("127.0.0.1");
  });

  it("is a 504 when the database takes too long for a statement", async () => {
    const answer = await app.inject("/timeout");
    expect(answer.statusCode).toBe(504);
    expect(answer.json()).toMatchObject({ code: "TIMEOUT" });
    expect(answer.payload).not.toContain("statement");
  });
});

import { type ErrorCode, ERRORS, problemSchema, type Role } from "@svc/contract";
import { openDatabase } from "@svc/platform/db";
import { AppError } from "@svc/platform/errors";
import type { Server } from "@svc/platform/http";
import { servicesUnderTest, silentLogger } from "@svc/platform/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { DB } from "../db-types.ts";
import { NOTES_CONFIGURATION } from "../testing/notes.ts";
import { createDomainUnderTest, type DomainUnderTest } from "./testing/domain-under-test.ts";
import { describedOperations, isSlim, keyOf, ROUTES, type RouteUnderTest, urlOf } from "./testing/routes-under-test.ts";

/** A request that ends in a certain status. All that is left out is as the route wants it. */
interface Trial {
  /** Name of the database that it is about. */
  database?: string;
  query?: string;
  role?: Role | "nobody" | "agent";
  body?: unknown;
  /** A body as it stands, and what it is said to be. */
  raw?: { payload: string; type: string };
  server?: "throttled" | "without database";
  /** Something that is so while the request is answered. */
  during?: (act: () => Promise<Response>) => Promise<Response>;
}
type Trials = Record<number, Trial>;
type Response = Awaited<ReturnType<Server["inject"]>>;

const away = openDatabase<DB>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log: silentLogger() });
let domain: DomainUnderTest;
let tokens: Record<Role | "agent", string>;
const servers: Record<string, Server> = {};

beforeAll(async () => {
  domain = await createDomainUnderTest({ questionTimeoutMs: 400 });
  const { org, call, addSource, expose, app } = domain;
  tokens = { ...org.tokens, agent: domain.addAgent(["apps:read"]) };
  servers["well"] = app;
  servers["throttled"] = await domain.serveAgain({ failures: 0 });
  servers["without database"] = await domain.serveAgain({ db: away.db });
  await servers["throttled"].inject({ url: "/api/wf/activity", headers: { authorization: "Bearer nobody" } });
  for (const name of ["bare", "guarded", "doomed", "regretted", "leaving", "turning"]) await addSource(org, name);
  await addSource(org, "off", undefined, false);
  await addSource(org, "empty", await domain.addCustomer());
  await call("POST", "/api/wf/databases", org.tokens.developer, { name: "fresh" });
  for (const name of ["regretted", "leaving"]) await call("DELETE", `/api/wf/databases/${name}`, org.tokens.admin);
  await expose("db_bare", { exposed: true });
  await expose("db_guarded", { exposed: true, min_role: "owner" });
});
afterAll(async () => {
  await domain?.close();
  await away.close();
});

const JSON_TYPE = "application/json";
/** One byte more than fits into 256 KiB. */
const TOO_LARGE = { payload: `"${"x".repeat(256 * 1_024 - 1)}"`, type: JSON_TYPE };

const everywhere: Trials = {
  401: { role: "nobody" },
  429: { server: "throttled" },
  503: { server: "without database" },
};
const guarded: Trials = { ...everywhere, 403: { role: "viewer" } };
const withBody: Trials = {
  400: { body: { surprise: 1 } },
  413: { raw: TOO_LARGE },
  415: { raw: { payload: "name: notes", type: "application/yaml" } },
};
/** A body that nobody asked for is still read, and has to be JSON. */
const withUnwantedBody: Trials = { ...withBody, 400: { raw: { payload: "{", type: JSON_TYPE } } };
const absent: Trials = { 404: { database: "absent" } };

const TRIALS: Record<string, Trials> = {
  "GET /api/wf/databases": { 200: {}, ...guarded },
  "POST /api/wf/databases": { 201: {}, ...guarded, ...withBody, 409: { body: { name: "notes" } } },
  "GET /api/wf/databases/{name}": { 200: {}, ...guarded, ...absent },
  "PATCH /api/wf/databases/{name}": { 200: {}, ...guarded, ...withBody, ...absent, 409: { database: "leaving" } },
  "DELETE /api/wf/databases/{name}": { 200: { database: "doomed" }, ...guarded, ...withUnwantedBody, ...absent },
  "POST /api/wf/databases/{name}/restore": {
    200: { database: "regretted" },
    409: {},
    ...guarded,
    ...withUnwantedBody,
    ...absent,
  },
  "GET /api/wf/databases/{name}/connection": { 200: {}, ...guarded, ...absent, 409: { database: "fresh" } },
  "POST /api/wf/databases/{name}/rotate": {
    202: { database: "turning" },
    409: { database: "fresh" },
    ...guarded,
    ...withUnwantedBody,
    ...absent,
  },
  "POST /api/wf/databases/{name}/sample": {
    201: { database: "empty" },
    ...guarded,
    ...withUnwantedBody,
    ...absent,
    409: { database: "fresh" },
    502: { database: "empty", during: whileModelFails },
    504: { database: "empty", during: whileModelIsSlow },
  },
  "GET /api/wf/data-sources": { 200: {}, ...guarded },
  "PUT /api/wf/data-sources/{id}": {
    200: { body: NOTES_CONFIGURATION },
    ...guarded,
    ...withBody,
    ...absent,
    409: { database: "fresh" },
    504: { during: (act) => whileLocked("pg_extension", act) },
  },
  "PUT /api/wf/data-sources/{id}/exposure": { 200: {}, ...guarded, ...withBody, ...absent, 409: { database: "off" } },
  "GET /api/wf/data-sources/{id}/health": { 200: {}, ...guarded, ...absent },
  "POST /api/wf/data-sources/{id}/probe": {
    200: {},
    ...guarded,
    ...withBody,
    ...absent,
    409: { database: "bare" },
    502: { during: whileModelFails },
    504: { during: (act) => whileLocked("notes", act) },
  },
  "GET /api/wf/slim/data-sources": { 200: {}, ...everywhere, 403: { role: "agent" } },
  "POST /api/wf/slim/data-sources/{id}/query": {
    200: {},
    ...everywhere,
    ...withBody,
    ...absent,
    403: { database: "guarded", role: "admin" },
    409: { database: "bare" },
    502: { during: whileModelFails, body: { query: "words that were not embedded yet" } },
    504: { during: (act) => whileLocked("notes", act) },
  },
  "GET /api/wf/activity": {
    200: {},
    ...everywhere,
    400: { query: "?type=everything" },
    403: { query: "?user_id=usr_01h455vb4pex5vsknk084sn02q", role: "viewer" },
  },
  "GET /api/wf/activity/histogram": {
    200: {},
    ...everywhere,
    400: { query: "?to=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z" },
    403: { query: "?user_id=usr_01h455vb4pex5vsknk084sn02q", role: "viewer" },
  },
  "GET /api/wf/audit": {
    200: {},
    ...everywhere,
    400: { query: "?action=everything" },
    403: { role: "developer" },
  },
};

async function whileLocked(table: string, act: () => Promise<Response>): Promise<Response> {
  const url = new URL(servicesUnderTest().postgresAdminUrl);
  url.pathname = `/${domain.customer.names.database}`;
  const session = new pg.Client({ connectionString: url.href });
  await session.connect();
  try {
    await session.query(`begin; lock table ${table} in access exclusive mode`);
    return await act();
  } finally {
    await session.end();
  }
}

function whileModelFails(act: () => Promise<Response>): Promise<Response> {
  return whileModelSays(new AppError("EMBEDDING_FAILED", "The provider answered with an error."), act);
}

function whileModelIsSlow(act: () => Promise<Response>): Promise<Response> {
  return whileModelSays(new AppError("TIMEOUT", "The model did not answer in time."), act);
}

async function whileModelSays(error: AppError, act: () => Promise<Response>): Promise<Response> {
  const embedder = domain.models.find("words");
  if (!embedder) throw new Error("no model");
  const works = embedder.embed;
  embedder.embed = async () => {
    throw error;
  };
  try {
    return await act();
  } finally {
    embedder.embed = works;
  }
}

function send(route: RouteUnderTest, trial: Trial, format: "json" | "yaml"): Promise<Response> {
  const { database = "notes", query = "", role = "owner", raw } = trial;
  const body = trial.body ?? route.body;
  const payload = raw?.payload ?? (body === undefined ? undefined : JSON.stringify(body));
  const act = async (): Promise<Response> =>
    (servers[trial.server ?? "well"] as Server).inject({
      method: route.method,
      url: urlOf(route, database) + query,
      headers: {
        accept: format === "json" ? "application/json" : "*/*",
        ...(role !== "nobody" && { authorization: `Bearer ${tokens[role]}` }),
        ...(payload !== undefined && { "content-type": raw?.type ?? JSON_TYPE }),
      },
      ...(payload !== undefined && { payload }),
    });
  return trial.during ? trial.during(act) : act();
}

function expectProblem(answer: Response, status: number, format: "json" | "yaml"): void {
  const [type, body] =
    format === "json" ? ["application/problem+json", answer.json()] : ["application/yaml", parse(answer.body)];
  expect(answer.headers["content-type"]).toBe(`${type}; charset=utf-8`);
  expect(problemSchema.strict().safeParse(body).error).toBeUndefined();
  const { title, status: expected } = ERRORS[body.code as ErrorCode];
  expect(body).toMatchObject({ type: `urn:svc:error:${body.code}`, title, status });
  expect(expected).toBe(status);
  expect(body.detail.length).toBeGreaterThan(10);
  const id = String(answer.headers["x-request-id"]);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.body).not.toContain(id);
  expect(status !== 429 || Number(answer.headers["retry-after"]) > 0).toBe(true);
  expect(answer.headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
}

describe("the routes of this domain", () => {
  it("are those of the table, and each has a trial for each status that it declares and for no other", async () => {
    const described = await describedOperations(domain.app);
    const declared = [...described].map(([key, { responses }]) => [key, Object.keys(responses).toSorted()]);
    const tried = Object.entries(TRIALS).map(([key, trials]) => [key, Object.keys(trials).toSorted()]);
    expect(Object.fromEntries(tried)).toEqual(Object.fromEntries(declared));
    expect(ROUTES.map(keyOf).toSorted()).toEqual([...described.keys()].toSorted());
  });
});

describe.each(ROUTES)("$method $path", (route) => {
  const trials = Object.entries(TRIALS[keyOf(route)] ?? {}).map(([status, trial]) => ({ ...trial, status: +status }));
  // Those of success last: some of them change what the others are about.
  const inOrder = trials.toSorted((a, b) => b.status - a.status);

  const formats = isSlim(route) ? (["yaml", "json"] as const) : (["json"] as const);

  it.each(inOrder.filter(({ status }) => status >= 400))(
    "answers $status with a problem",
    async ({ status, ...trial }) => {
      for (const format of formats) {
        const answer = await send(route, trial, format);
        expect([answer.statusCode, answer.body]).toEqual([status, expect.any(String)]);
        expectProblem(answer, status, format);
      }
    },
  );

  it.each(inOrder.filter(({ status }) => status < 400))("answers $status", async ({ status, ...trial }) => {
    for (const format of formats) {
      const { statusCode, headers } = await send(route, trial, format);
      expect([statusCode, headers["content-type"]]).toEqual([status, `application/${format}; charset=utf-8`]);
    }
  });
});

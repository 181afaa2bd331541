import { isAtLeast, type Role, ROLES } from "@svc/contract";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabasesFixture, type DatabasesFixture, type TestOrg } from "../testing/databases-fixture.ts";

const DATABASES = "/api/wf/databases";
const LIMIT = 30;

let fixture: DatabasesFixture;
let org: TestOrg;
let stranger: TestOrg;

beforeAll(async () => {
  fixture = await createDatabasesFixture({ databasesPerOrg: LIMIT });
  org = fixture.createOrg();
  stranger = fixture.createOrg();
});
afterAll(() => fixture?.close());

const create = (body: object, of = org) => fixture.call("POST", DATABASES, of.tokens.developer, body);
const at = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, role: Role = "admin", body?: object) =>
  fixture.call(method, `${DATABASES}/${path}`, org.tokens[role], body);

async function createReady(name: string): Promise<void> {
  expect((await create({ name })).status).toBe(201);
  await fixture.reconcile(await fixture.databaseOf(org, name));
}

describe("POST /api/wf/databases", () => {
  it("201: is being made, switched on as a data source unless said otherwise", async () => {
    const { status, body } = await create({ name: "notes", description: "What we know" });
    expect(status).toBe(201);
    expect(body).toEqual({
      name: "notes",
      source_id: "db_notes",
      description: "What we know",
      data_source: true,
      status: "creating",
      delete_after: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await create({ name: "plain", data_source: false, description: "" })).body).toMatchObject({
      data_source: false,
      description: null,
    });
    expect(fixture.changed).toContain(org.id);
  });

  it("enqueues the work in the same transaction: a job exactly where there is a row", async () => {
    await create({ name: "with_job" });
    const jobs = { ...fixture.context.jobs };
    fixture.context.jobs = { ...jobs, enqueue: async () => Promise.reject(new Error("no queue")) };
    expect((await create({ name: "without_job" })).status).toBe(500);
    fixture.context.jobs = jobs;
    expect((await at("GET", "without_job")).status).toBe(404);
    const { database_id } = await fixture.databaseOf(org, "with_job");
    const { rows } = await sql`select from pgboss.job
      where name = 'data_sources.reconcile_database' and singleton_key = ${database_id}`.execute(fixture.db);
    expect(rows).toHaveLength(1);
  });

  it.each([
    {},
    { name: "Notes" },
    { name: "1notes" },
    { name: "notes-1" },
    { name: "x".repeat(41) },
    { name: 'a"; drop table x' },
    { name: "ok", owner: "me" },
    { name: "ok", data_source: "yes" },
    { name: "ok", description: "two\nlines" },
  ])("400: %j", async (body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } });
  });

  it("409: the name is taken, and says so; elsewhere it is free", async () => {
    await create({ name: "taken" });
    const { status, body } = await create({ name: "taken" });
    expect([status, body.code]).toEqual([409, "CONFLICT"]);
    expect(body.detail).toContain("Choose another name");
    expect((await create({ name: "taken" }, stranger)).status).toBe(201);
  });

  it("409: the name is that of one being deleted, and says until when and how to restore it", async () => {
    await create({ name: "fading" });
    const { body: deleted } = await at("DELETE", "fading");
    const { status, body } = await create({ name: "fading" });
    expect([status, body.code]).toEqual([409, "CONFLICT"]);
    expect(body.detail).toContain(deleted.delete_after);
    expect(body.detail).toContain("POST /api/wf/databases/fading/restore");
  });

  it("409: beyond the limit, even for those who come at once", async () => {
    const full = fixture.createOrg();
    const names = Array.from({ length: LIMIT + 6 }, (_, index) => `many_${index}`);
    const answers = await Promise.all(names.map((name) => create({ name }, full)));
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMIT);
    expect(refused).toHaveLength(6);
    expect(refused[0]?.body).toMatchObject({ code: "DATABASE_LIMIT", detail: expect.stringContaining(`${LIMIT}`) });
    const { body } = await fixture.call("GET", DATABASES, full.tokens.developer);
    expect(body.items).toHaveLength(LIMIT);
  });

  it("413 and 415: a body too large, a body that is not JSON", async () => {
    expect((await create({ name: "x".repeat(300_000) })).status).toBe(413);
    const { developer } = org.tokens;
    expect((await fixture.callRaw("POST", DATABASES, developer, "name: x", "application/yaml")).status).toBe(415);
  });
});

describe("GET /api/wf/databases", () => {
  it("200: those of the organization, by name, and nobody else's", async () => {
    const own = fixture.createOrg();
    for (const name of ["zebra", "ant"]) await create({ name }, own);
    const { status, body } = await fixture.call("GET", DATABASES, own.tokens.developer);
    expect(status).toBe(200);
    expect(body.items.map(({ name }: any) => name)).toEqual(["ant", "zebra"]);
  });
});

describe("GET /api/wf/databases/:name", () => {
  it("200: one of them", async () => {
    await create({ name: "one" });
    expect(await at("GET", "one", "developer")).toMatchObject({ status: 200, body: { name: "one" } });
  });
});

describe("GET /api/wf/databases/:name/connection", () => {
  it("200: the owner's way in, and it works", async () => {
    await createReady("reachable");
    const { status, body } = await at("GET", "reachable/connection", "developer");
    expect(status).toBe(200);
    const { user, password, host, port, database } = body;
    expect(body.connection_string).toBe(`postgres://${user}:${password}@${host}:${port}/${database}`);
    expect(user).toBe(`${database}_owner`);
    const client = new pg.Client({ connectionString: body.connection_string });
    await client.connect();
    expect((await client.query("select current_user as is")).rows).toEqual([{ is: user }]);
    await client.end();
  });

  it("200: asks for TLS where the server has it, and puts an IPv6 address in brackets", async () => {
    await createReady("secured");
    const { database_id } = await fixture.databaseOf(org, "secured");
    await sql`update data_sources.databases set address = '{"host": "2001:db8::1", "port": 5432, "tls": true}'
               where id = ${database_id}`.execute(fixture.db);
    const { body } = await at("GET", "secured/connection", "developer");
    expect(body.connection_string).toMatch(/@\[2001:db8::1\]:5432\/svc_\w+\?sslmode=require$/);
  });

  it("409: while it is being made, rotated or deleted, with what to do", async () => {
    await create({ name: "early" });
    const early = await at("GET", "early/connection", "developer");
    expect([early.status, early.headers["retry-after"]]).toEqual([409, "2"]);
    expect(early.body.detail).toContain("Try again");

    await createReady("turning");
    await at("POST", "turning/rotate");
    expect((await at("GET", "turning/connection", "developer")).body.detail).toContain("new passwords");

    await at("DELETE", "turning");
    const late = await at("GET", "turning/connection", "developer");
    expect([late.status, late.body.code]).toEqual([409, "CONFLICT"]);
    expect(late.body.detail).toContain("/restore");
  });
});

describe("PATCH /api/wf/databases/:name", () => {
  it("200: describes, and switches off what was exposed", async () => {
    await create({ name: "shown" });
    const { database_id } = await fixture.databaseOf(org, "shown");
    await sql`update data_sources.sources set exposed = true where id = ${database_id}`.execute(fixture.db);
    const described = await at("PATCH", "shown", "developer", { description: "New words" });
    expect(described).toMatchObject({ status: 200, body: { description: "New words", data_source: true } });
    expect((await at("PATCH", "shown", "developer", { data_source: false })).body).toMatchObject({
      data_source: false,
      description: "New words",
    });
    const { rows } = await sql`select enabled, exposed from data_sources.sources where id = ${database_id}`.execute(
      fixture.db,
    );
    expect(rows).toEqual([{ enabled: false, exposed: false }]);
    expect((await at("PATCH", "shown", "developer", { data_source: true, description: "" })).body).toMatchObject({
      data_source: true,
      description: null,
    });
  });

  it("400: nothing to change, an unknown field", async () => {
    expect((await at("PATCH", "shown", "developer", {})).status).toBe(400);
    expect((await at("PATCH", "shown", "developer", { name: "other" })).status).toBe(400);
  });

  it("409: while it is being deleted", async () => {
    await create({ name: "going" });
    await at("DELETE", "going");
    expect(await at("PATCH", "going", "developer", { data_source: true })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
  });
});

describe("DELETE and restore", () => {
  it("200: a week to take it back; again it is the same deletion; restored it is off as a data source", async () => {
    await createReady("regretted");
    const { status, body } = await at("DELETE", "regretted");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "deleting", data_source: false });
    const days = (Date.parse(body.delete_after) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    expect((await at("DELETE", "regretted")).body).toEqual(body);
    expect(await at("POST", "regretted/restore")).toMatchObject({
      status: 200,
      body: { status: "creating", data_source: false, delete_after: null },
    });
    await fixture.reconcile(await fixture.databaseOf(org, "regretted"));
    expect((await at("GET", "regretted")).body.status).toBe("ready");
    expect((await at("GET", "regretted/connection")).status).toBe(200);
  });

  it("409: nothing to restore, or too late", async () => {
    await create({ name: "alive" });
    expect((await at("POST", "alive/restore")).body).toMatchObject({ code: "CONFLICT" });
    await at("DELETE", "alive");
    const { database_id } = await fixture.databaseOf(org, "alive");
    await sql`update data_sources.databases set delete_after = now() where id = ${database_id}`.execute(fixture.db);
    expect(await at("POST", "alive/restore")).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("is over") },
    });
  });
});

describe("POST /api/wf/databases/:name/rotate", () => {
  it("202: is on its way; and afterwards the password is another", async () => {
    await createReady("turned");
    const { body: before } = await at("GET", "turned/connection");
    expect(await at("POST", "turned/rotate")).toMatchObject({ status: 202, body: { status: "ready" } });
    await fixture.reconcile(await fixture.databaseOf(org, "turned"));
    const { body: after } = await at("GET", "turned/connection");
    expect(after.password).not.toBe(before.password);
    expect(after.user).toBe(before.user);
  });

  it("409: while it is being made, or rotated already", async () => {
    await create({ name: "unmade" });
    expect((await at("POST", "unmade/rotate")).status).toBe(409);
    await createReady("twice");
    await at("POST", "twice/rotate");
    expect((await at("POST", "twice/rotate")).status).toBe(409);
  });
});

describe("every route of databases", () => {
  const routes: [method: "GET" | "POST" | "PATCH" | "DELETE", path: string, minimum: Role, body?: object][] = [
    ["GET", "", "developer"],
    ["POST", "", "developer", {}],
    ["GET", "/absent", "developer"],
    ["GET", "/absent/connection", "developer"],
    ["PATCH", "/absent", "developer", { description: "x" }],
    ["DELETE", "/absent", "admin"],
    ["POST", "/absent/restore", "admin"],
    ["POST", "/absent/rotate", "admin"],
  ];
  const matrix = routes.flatMap(([method, path, minimum, body]) =>
    ROLES.map((role) => ({ method, path, minimum, body, role })),
  );

  it.each(matrix)("$method $path as $role (needs $minimum)", async ({ method, path, minimum, body, role }) => {
    const { status } = await fixture.call(method, DATABASES + path, org.tokens[role], body);
    expect(status === 403).toBe(!isAtLeast(role, minimum));
  });

  it.each(routes)("401: %s %s without a credential", async (method, path, _minimum, body) => {
    expect((await fixture.call(method, DATABASES + path, undefined, body)).status).toBe(401);
  });

  const named = routes.filter(([, path]) => path !== "");

  it.each(named)("404: %s %s, the same for what is not there and what is another's", async (method, path, _, body) => {
    await create({ name: "theirs" }, stranger);
    const answers = await Promise.all(
      ["absent", "theirs", "No%20Name", "..%2fx", "x".repeat(100)].map((name) =>
        fixture.call(method, DATABASES + path.replace("absent", name), org.tokens.owner, body),
      ),
    );
    for (const { status, body } of answers) {
      expect([status, body.detail]).toEqual([404, "No such database."]);
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it.each(routes)("403: %s %s for an agent, whatever its person may do", async (method, path, _minimum, body) => {
    const token = fixture.tokenFor(org, { kind: "actor", role: "owner", scopes: ["data:read"] });
    expect((await fixture.call(method, DATABASES + path, token, body)).status).toBe(403);
  });

  it("403: a support session sees no password", async () => {
    await createReady("private");
    const token = fixture.tokenFor(org, { kind: "support", role: "admin" });
    const url = `${DATABASES}/private`;
    expect((await fixture.call("GET", url, token)).status).toBe(200);
    expect((await fixture.call("GET", `${url}/connection`, token)).status).toBe(403);
  });
});

describe("a password", () => {
  it("is in no row, no log line and no other answer", async () => {
    await createReady("sealed");
    const { body } = await at("GET", "sealed/connection");
    await at("POST", "sealed/rotate");
    const { rows } = await sql<{ dump: string }>`
      select string_agg(line, ' ') as dump from (
        select d::text as line from data_sources.databases d
        union all select s::text from data_sources.sources s
        union all select j::text from pgboss.job j) all_rows`.execute(fixture.db);
    expect(rows[0]?.dump).toContain("sealed");
    expect(rows[0]?.dump).not.toContain(body.password);
    expect(JSON.stringify(fixture.lines)).not.toContain(body.password);
    for (const path of ["", "/sealed"]) {
      const { text } = await fixture.call("GET", DATABASES + path, org.tokens.owner);
      expect(text).not.toContain(body.password);
      expect(text).not.toContain(body.database);
    }
  });

  it("that cannot be opened, because its key is gone, is a 500 that shows nothing of it", async () => {
    await createReady("locked");
    const { database_id } = await fixture.databaseOf(org, "locked");
    await sql`update data_sources.databases set owner_secret = reader_secret where id = ${database_id}`.execute(
      fixture.db,
    );
    const { status, text } = await at("GET", "locked/connection");
    expect(status).toBe(500);
    expect(text).not.toContain("svc_");
    expect(JSON.stringify(fixture.lines)).not.toContain("v1.k1.");
  });
});

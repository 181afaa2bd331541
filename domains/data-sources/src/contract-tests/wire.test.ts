import { idSchema } from "@svc/contract";
import { waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createDomainUnderTest, type DomainUnderTest, JSON_WANTED } from "./testing/domain-under-test.ts";
import { describedOperations, type JsonSchema, type Operation, ROUTES, urlOf } from "./testing/routes-under-test.ts";

let domain: DomainUnderTest;
let operations: Map<string, Operation>;
/** What each GET answers, where all that can be filled is filled. */
const answers: [url: string, body: any][] = [];

const GETS = (
  "databases databases/notes databases/leaving data-sources data-sources/db_notes/health slim/data-sources " +
  "activity?type=data_sources"
).split(" ");

beforeAll(async () => {
  domain = await createDomainUnderTest();
  operations = await describedOperations(domain.app);
  const { org } = domain;
  await domain.addSource(org, "leaving");
  await domain.call("DELETE", "/api/wf/databases/leaving", org.tokens.admin);
  await domain.ask(org.tokens.viewer, "db_notes", { query: "holidays" });
  const activity = "/api/wf/activity?type=data_sources";
  await waitUntil(async () => (await domain.call("GET", activity, org.tokens.owner)).body.items.length === 1);
  for (const path of GETS) {
    const url = `/api/wf/${path}`;
    answers.push([url, (await domain.call("GET", url, org.tokens.owner, undefined, JSON_WANTED)).body]);
  }
});
afterAll(() => domain?.close());

/** Every value in it, with the name that it goes by. */
function valuesIn(value: unknown, name = ""): [name: string, value: unknown][] {
  if (typeof value !== "object" || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, item]) => valuesIn(item, Array.isArray(value) ? name : key));
}

/** Every schema in it, itself included. */
function schemasIn(schema: unknown, path: string): [path: string, schema: JsonSchema][] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) => schemasIn(value, `${path}.${key}`));
  return [[path, schema as JsonSchema], ...inner];
}

describe("every route", () => {
  it("is under /api/wf/, and those of agents under /api/wf/slim/", () => {
    for (const { path } of ROUTES) expect(path).toMatch(/^\/api\/wf\/(slim\/)?(data-sources|databases|activity|audit)/);
  });

  it("names its parameters and fields in snake_case", () => {
    let fields = 0;
    for (const [key, operation] of operations) {
      for (const { name } of operation.parameters ?? []) expect([key, name]).toEqual([key, snakeCase]);
      for (const [path, { properties }] of schemasIn(operation, key)) {
        for (const name of Object.keys((properties as object | undefined) ?? {})) {
          expect([path, name]).toEqual([path, snakeCase]);
          fields += 1;
        }
      }
    }
    expect(fields).toBeGreaterThan(100);
  });

  it("bounds every text and every list, in what it takes and in what it answers", () => {
    const schemas = [...operations].flatMap(([key, operation]) => schemasIn(operation, key));
    const lists = schemas.filter(([, { type }]) => type === "array");
    const texts = schemas.filter(([, { type }]) => type === "string");
    expect(lists.length).toBeGreaterThan(10);
    expect(texts.length).toBeGreaterThan(100);
    expect(lists.filter(([, { maxItems }]) => typeof maxItems !== "number")).toEqual([]);
    const isEndless = (schema: JsonSchema): boolean =>
      ["maxLength", "enum", "const", "format"].every((bound) => schema[bound] === undefined);
    expect(texts.filter(([, schema]) => isEndless(schema))).toEqual([]);
  });

  it.each(ROUTES.filter(({ body }) => body))(
    "$method $path refuses a field that it does not know, by its name",
    async (route) => {
      const body = { ...route.body, surprise: 1 };
      const { method } = route;
      const answer = await domain.call(method, urlOf(route, "notes"), domain.org.tokens.owner, body, JSON_WANTED);
      expect([answer.status, answer.body.problems]).toEqual([400, expect.any(Array)]);
      expect(answer.body.problems).toContainEqual({ path: "", message: "unknown field: surprise" });
    },
  );

  it.each(["PUT /api/wf/data-sources/db_notes?surprise=1", "GET /api/wf/activity?surprise=1"])(
    "%s: the same goes for the query string, where there is one",
    async (line) => {
      const [method, url] = line.split(" ") as ["GET", string];
      const body = line.startsWith("PUT") ? { connection_config: { embedding_configs: [] } } : undefined;
      const answer = await domain.call(method, url, domain.org.tokens.owner, body);
      expect([answer.status, answer.body.problems]).toEqual([400, [{ path: "", message: "unknown field: surprise" }]]);
    },
  );
});

const snakeCase: unknown = expect.stringMatching(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);

describe("every answer", () => {
  it("writes times in UTC as RFC 3339 does", () => {
    const times = answers.flatMap(([, body]) => valuesIn(body)).filter(([name]) => /^(at|.*_(at|after))$/.test(name));
    const given = times.filter(([, value]) => value !== null);
    expect(new Set(given.map(([name]) => name))).toEqual(
      new Set(["created_at", "updated_at", "delete_after", "checked_at", "at"]),
    );
    for (const [name, value] of given) {
      expect([name, value]).toEqual([name, expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)]);
      expect(Math.abs(Date.parse(String(value)) - Date.now())).toBeLessThan(8 * 86_400_000);
    }
  });

  it("gives a source its two ids, a record and a person theirs", () => {
    const bodyOf = (part: string) => answers.find(([url]) => url.startsWith(part))?.[1];
    for (const { id, source_id, database } of bodyOf("/api/wf/data-sources").items) {
      expect(idSchema("ds").safeParse(id).success).toBe(true);
      expect(source_id).toBe(`db_${database}`);
    }
    for (const { name, source_id } of bodyOf("/api/wf/databases").items) expect(source_id).toBe(`db_${name}`);
    expect(bodyOf("/api/wf/slim/data-sources").items[0].id).toBe("db_notes");
    const [record] = bodyOf("/api/wf/activity").items;
    expect(idSchema("act").safeParse(record.id).success).toBe(true);
    expect(idSchema("usr").safeParse(record.user.id).success).toBe(true);
    expect(record.source_id).toBe("db_notes");
  });

  it("holds no secret and no name that the server knows a database by", () => {
    const { ownerPassword, readerPassword, names } = domain.customer;
    const text = JSON.stringify(answers);
    for (const secret of [ownerPassword, readerPassword, ...Object.values(names)]) expect(text).not.toContain(secret);
  });

  it("of what agents see is the same in YAML and in JSON", async () => {
    const yaml = await domain.call("GET", "/api/wf/slim/data-sources", domain.org.tokens.owner);
    expect(parse(yaml.text)).toEqual(answers.find(([url]) => url === "/api/wf/slim/data-sources")?.[1]);
    expect(yaml.headers["vary"]).toBe("Accept");
  });
});

describe("the list of sources that may be asked", () => {
  it("shows id, name, minimum role, filters with types, targets and the database's description", async () => {
    const { org } = domain;
    await domain.call("PATCH", "/api/wf/databases/notes", org.tokens.developer, { description: "What we know" });
    const url = "/api/wf/slim/data-sources";
    const { body } = await domain.call("GET", url, org.tokens.viewer, undefined, JSON_WANTED);
    expect(body.items).toEqual([
      {
        id: "db_notes",
        name: "notes",
        min_role: "viewer",
        filters: { lang: "string", year: "number", draft: "boolean" },
        targets: ["notes"],
        description: "What we know",
      },
    ]);
  });
});

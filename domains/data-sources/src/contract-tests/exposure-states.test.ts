import { MIN_ROLES, ROLES } from "@svc/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, createDomainUnderTest, type DomainUnderTest, JSON_WANTED } from "./testing/domain-under-test.ts";

let domain: DomainUnderTest;

beforeAll(async () => {
  domain = await createDomainUnderTest();
});
afterAll(() => domain?.close());

const ask = (sourceId = "db_notes", role: (typeof ROLES)[number] = "viewer") =>
  domain.ask(domain.org.tokens[role], sourceId, { query: "holidays" });
const listed = async (role: (typeof ROLES)[number] = "owner"): Promise<string[]> => {
  const url = "/api/wf/slim/data-sources";
  const { body } = await domain.call("GET", url, domain.org.tokens[role], undefined, JSON_WANTED);
  return body.items.map(({ id }: { id: string }) => id);
};
const database = (method: "PATCH" | "DELETE" | "POST", path: string, body?: object) =>
  domain.call(method, `/api/wf/databases/${path}`, domain.org.tokens.admin, body);
const switchTo = (on: boolean, name = "notes") => database("PATCH", name, { data_source: on });
/** All of an answer that a caller can see, but the id of the request and the time. */
function seen({ status, headers, text }: Answer): object {
  const { "x-request-id": _id, date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}

describe("a source that was just made", () => {
  it("is not exposed, and viewers are meant once it is", async () => {
    await domain.addSource(domain.org, "new");
    expect(await domain.sourceOf("db_new")).toMatchObject({ exposed: false, min_role: "viewer" });
    expect(await listed()).not.toContain("db_new");
  });
});

describe("the exposure of a source", () => {
  it.each(MIN_ROLES)("can be from %s up, and is answered and listed as it was set", async (min_role) => {
    const { status, body } = await domain.expose("db_notes", { exposed: true, min_role });
    expect([status, body.exposed, body.min_role]).toEqual([200, true, min_role]);
    expect(await domain.sourceOf("db_notes")).toMatchObject({ exposed: true, min_role });
  });

  it("keeps the search configuration, and keeps the minimum role while it is off", async () => {
    const before = await domain.sourceOf("db_notes");
    await domain.expose("db_notes", { exposed: true, min_role: "developer" });
    await domain.expose("db_notes", { exposed: false });
    const { connection_config, filter_schema } = before;
    expect(await domain.sourceOf("db_notes")).toMatchObject({
      min_role: "developer",
      connection_config,
      filter_schema,
    });
    await domain.expose("db_notes", { exposed: true });
    expect([(await ask("db_notes", "viewer")).status, (await ask("db_notes", "developer")).status]).toEqual([403, 200]);
  });

  it("of one source says nothing about the others", async () => {
    await domain.addSource(domain.org, "second");
    await domain.expose("db_second", { exposed: true, min_role: "admin" });
    await domain.expose("db_notes", { exposed: true, min_role: "viewer" });
    expect(await listed("viewer")).toEqual(["db_notes"]);
    expect(await listed("admin")).toEqual(["db_notes", "db_second"]);
    await domain.expose("db_second", { exposed: false });
    expect(await listed("admin")).toEqual(["db_notes"]);
  });
});

describe("a database that is switched off as a data source", () => {
  beforeEach(async () => {
    await switchTo(true);
    await domain.expose("db_notes", { exposed: true, min_role: "viewer" });
  });

  it.each(ROLES)(
    "is at once like one that is not there, for %s too: 404 byte for byte, and not listed",
    async (role) => {
      expect((await ask("db_notes", role)).status).toBe(200);
      await switchTo(false);
      const answer = await ask("db_notes", role);
      expect(answer.status).toBe(404);
      expect(seen(answer)).toEqual(seen(await ask("db_unheard_of", role)));
      expect(await listed(role)).toEqual([]);
    },
  );

  it("is shown as off to those who configure it, and can then not be exposed", async () => {
    await switchTo(false);
    expect(await domain.sourceOf("db_notes")).toMatchObject({
      enabled: false,
      exposed: false,
      search_configured: true,
    });
    expect((await domain.expose("db_notes", { exposed: true })).status).toBe(409);
  });

  it("is not exposed again by switching it on; only someone who says so does that", async () => {
    await switchTo(false);
    await switchTo(true);
    expect(await domain.sourceOf("db_notes")).toMatchObject({ enabled: true, exposed: false });
    expect((await ask()).status).toBe(404);
    await domain.expose("db_notes", { exposed: true });
    expect((await ask()).status).toBe(200);
  });

  it("never ends as exposed and off, nor in an error of ours, when both are asked for at once", async () => {
    for (let round = 0; round < 15; round += 1) {
      await switchTo(true);
      const [off, on] = await Promise.all([switchTo(false), domain.expose("db_notes", { exposed: true })]);
      expect([off.status, on.status === 200 || on.status === 409]).toEqual([200, true]);
      expect(await domain.sourceOf("db_notes")).toMatchObject({ enabled: false, exposed: false });
    }
  });
});

describe("a database that is deleted", () => {
  it("is no longer a source: 404 as for one that is not there; restored it is off and not exposed", async () => {
    const { org } = domain;
    await domain.call("POST", "/api/wf/databases", org.tokens.developer, { name: "passing" });
    await domain.makeDatabase(org, "passing");
    await domain.expose("db_passing", { exposed: true });
    // Found, and told that nothing is configured: it is there.
    expect((await ask("db_passing")).status).toBe(409);

    expect((await database("DELETE", "passing")).status).toBe(200);
    const gone = await ask("db_passing");
    expect(gone.status).toBe(404);
    expect(seen(gone)).toEqual(seen(await ask("db_unheard_of")));
    expect(await listed()).not.toContain("db_passing");

    expect((await database("POST", "passing/restore")).status).toBe(200);
    await domain.makeDatabase(org, "passing");
    expect(await domain.sourceOf("db_passing")).toMatchObject({ enabled: false, exposed: false });
    expect((await ask("db_passing")).status).toBe(404);
  });
});

describe("an id that cannot be one", () => {
  const ODD = ["db_%00", "db_", "db_Notes", "db_notes%20", "ds_notes", "%E2%98%83", "db_..%2F..", "notes", "DB_notes"];

  it.each(ODD)("%s is answered like the id of a source that is not there", async (id) => {
    const answer = await ask(id);
    expect(answer.status).toBe(404);
    expect(seen(answer)).toEqual(seen(await ask("db_unheard_of")));
  });

  it.each(ODD)("%s is answered so too where sources and databases are looked after", async (id) => {
    const { admin } = domain.org.tokens;
    const expectAlike = async (of: (name: string) => Promise<Answer>): Promise<void> => {
      const answer = await of(id);
      expect(answer.status).toBe(404);
      expect(seen(answer)).toEqual(seen(await of("db_unheard_of")));
    };
    await expectAlike((name) => domain.call("GET", `/api/wf/data-sources/${name}/health`, admin));
    await expectAlike((name) => domain.expose(name, { exposed: true }));
    await expectAlike((name) => domain.save(name, { connection_config: { embedding_configs: [] } }));
    await expectAlike((name) => domain.call("GET", `/api/wf/databases/${name}x%00`, admin));
    await expectAlike((name) => database("DELETE", `${name}x`));
    await expectAlike((name) => database("POST", `${name}x/rotate`));
  });
});

describe("the minimum role", () => {
  it("is about asking alone: who may connect to the database still may", async () => {
    await switchTo(true);
    await domain.expose("db_notes", { exposed: true, min_role: "owner" });
    const { developer } = domain.org.tokens;
    expect((await ask("db_notes", "developer")).status).toBe(403);
    const { status, body } = await domain.call("GET", "/api/wf/databases/notes/connection", developer);
    expect([status, body.password]).toEqual([200, domain.customer.ownerPassword]);
    expect((await domain.call("GET", "/api/wf/data-sources", developer)).body.items.length).toBeGreaterThan(0);
  });
});

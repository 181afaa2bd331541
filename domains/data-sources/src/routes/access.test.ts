import { isAtLeast, MIN_ROLES, ROLES } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes, NOTES_CONFIGURATION } from "../testing/notes.ts";

let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;
let stranger: TestOrg;

beforeAll(async () => {
  fixture = await createDataSourcesFixture();
  customer = await createCustomerDatabase();
  org = fixture.createOrg();
  stranger = fixture.createOrg();
  await createNotes(customer);
  await exposeNotes(fixture, org, customer);
});
afterAll(async () => {
  await fixture.close();
  await customer.drop();
});

const expose = (exposure: object, source = "db_notes", token = org.tokens.admin) =>
  fixture.call("PUT", `/api/wf/data-sources/${source}/exposure`, token, exposure);
const listed = async (token: string): Promise<string[]> => {
  const { body } = await fixture.call("GET", "/api/wf/slim/data-sources", token, undefined, {
    accept: "application/json",
  });
  return body.items.map(({ id }: { id: string }) => id);
};

describe.each(MIN_ROLES)("a source exposed from %s up", (minRole) => {
  beforeAll(async () => {
    await expose({ exposed: true, min_role: minRole });
  });

  it.each(ROLES)("answers %s by the rank of that role: listed and answered, or not listed and 403", async (role) => {
    const isAllowed = isAtLeast(role, minRole);
    expect(await listed(org.tokens[role])).toEqual(isAllowed ? ["db_notes"] : []);
    const { status, body } = await fixture.ask(org.tokens[role], "db_notes", { query: "holidays" });
    expect([status, body.code]).toEqual(isAllowed ? [200, undefined] : [403, "FORBIDDEN"]);
    expect(isAllowed || body.detail.includes(`needs the role ${minRole}`)).toBe(true);
  });

  it("is not there for another organization, whatever the role", async () => {
    expect(await listed(stranger.tokens.owner)).toEqual([]);
    expect((await fixture.ask(stranger.tokens.owner, "db_notes", { query: "x" })).status).toBe(404);
  });
});

describe("a source that is not exposed, or switched off", () => {
  it.each(ROLES)("is not listed for %s and cannot be asked: 404", async (role) => {
    await expose({ exposed: false });
    expect(await listed(org.tokens[role])).toEqual([]);
    expect((await fixture.ask(org.tokens[role], "db_notes", { query: "x" })).status).toBe(404);
  });

  it("is taken back and exposed again at once, though sources are remembered for a moment", async () => {
    for (const exposed of [true, false, true, false]) {
      await expose({ exposed, min_role: "viewer" });
      const { status } = await fixture.ask(org.tokens.viewer, "db_notes", { query: "x" });
      expect(status).toBe(exposed ? 200 : 404);
    }
  });
});

describe("the list of sources that may be asked", () => {
  it("has id, name, minimum role, filterable columns with types, targets and description of each", async () => {
    await expose({ exposed: true, min_role: "developer" });
    const json = await fixture.call("GET", "/api/wf/slim/data-sources", org.tokens.owner, undefined, {
      accept: "application/json",
    });
    expect(json.body).toEqual({
      items: [
        {
          id: "db_notes",
          name: "notes",
          min_role: "developer",
          filters: { lang: "string", year: "number", draft: "boolean" },
          targets: ["notes"],
          description: null,
        },
      ],
    });
    const yaml = await fixture.call("GET", "/api/wf/slim/data-sources", org.tokens.owner);
    expect(yaml.headers["content-type"]).toBe("application/yaml; charset=utf-8");
    expect(yaml.text).toContain('- id: "db_notes"');
  });

  it("is empty for who may ask none, and needs a caller", async () => {
    expect(await listed(stranger.tokens.viewer)).toEqual([]);
    expect((await fixture.call("GET", "/api/wf/slim/data-sources")).status).toBe(401);
  });
});

describe("the list of all sources", () => {
  it("shows who configures them everything but a way in", async () => {
    const { status, body, text } = await fixture.call("GET", "/api/wf/data-sources", org.tokens.developer);
    expect(status).toBe(200);
    expect(body.items).toEqual([
      {
        id: expect.stringMatching(/^ds_/),
        source_id: "db_notes",
        name: "notes",
        description: null,
        database: "notes",
        enabled: true,
        exposed: true,
        min_role: "developer",
        search_configured: true,
        connection_config: {
          embedding_configs: [
            {
              ...NOTES_CONFIGURATION.connection_config.embedding_configs[0],
              columns: ["embedding"],
              distance_metric: "cosine",
            },
          ],
        },
        filter_schema: NOTES_CONFIGURATION.filter_schema,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    for (const secret of [customer.ownerPassword, customer.readerPassword, "v1.test", customer.names.database]) {
      expect(text).not.toContain(secret);
    }
  });

  it.each(["viewer", "member"] as const)("is not for %s", async (role) => {
    expect((await fixture.call("GET", "/api/wf/data-sources", org.tokens[role])).status).toBe(403);
  });
});

describe("exposing", () => {
  it.each(ROLES)("is for owner and admin: %s", async (role) => {
    const isAllowed = role === "owner" || role === "admin";
    expect((await expose({ exposed: true }, "db_notes", org.tokens[role])).status).toBe(isAllowed ? 200 : 403);
  });

  it("takes either id, keeps the minimum role that is left out, and answers the source", async () => {
    await expose({ exposed: true, min_role: "admin" });
    const { body } = await fixture.call("GET", "/api/wf/data-sources", org.tokens.owner);
    const answer = await expose({ exposed: true }, body.items[0].id);
    expect(answer.body).toMatchObject({ source_id: "db_notes", exposed: true, min_role: "admin" });
  });

  it.each([
    [{}, 400],
    [{ exposed: "yes" }, 400],
    [{ exposed: true, min_role: "member" }, 400],
    [{ exposed: true, min_role: "viewer", extra: 1 }, 400],
  ])("refuses %j", async (body, status) => {
    expect((await expose(body)).status).toBe(status);
  });

  it("answers 404 for a source that is not there or another's", async () => {
    expect((await expose({ exposed: true }, "db_none")).status).toBe(404);
    expect((await expose({ exposed: true }, "notes")).status).toBe(404);
    expect((await expose({ exposed: true }, "db_notes", stranger.tokens.owner)).status).toBe(404);
  });

  it("needs a database that is switched on as a data source", async () => {
    await fixture.addSource(org, "resting", undefined, false);
    const { status, body } = await expose({ exposed: true }, "db_resting");
    expect(status).toBe(409);
    expect(body.detail).toContain("Switch it on first");
  });
});

describe("the cap", () => {
  it("lets 100 sources be exposed, refuses the 101st, and counts only those exposed", async () => {
    const crowd = fixture.createOrg();
    const names = Array.from({ length: 104 }, (_, n) => `s${n}`);
    for (const name of names) await fixture.addSource(crowd, name);
    const answers: Awaited<ReturnType<typeof expose>>[] = [];
    // Eight at a time: enough to race for the last place.
    for (let n = 0; n < names.length; n += 8) {
      const some = names.slice(n, n + 8);
      answers.push(
        ...(await Promise.all(some.map((name) => expose({ exposed: true }, `db_${name}`, crowd.tokens.owner)))),
      );
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(4);
    for (const { status, body } of refused) expect([status, body.code]).toEqual([409, "EXPOSED_SOURCE_LIMIT"]);
    expect(await listed(crowd.tokens.viewer)).toHaveLength(100);

    const exposedName = names[answers.findIndex(({ status }) => status === 200)];
    const refusedName = names[answers.findIndex(({ status }) => status !== 200)];
    // One that is exposed already can still be changed, and taking it back makes room for another.
    expect((await expose({ exposed: true, min_role: "admin" }, `db_${exposedName}`, crowd.tokens.owner)).status).toBe(
      200,
    );
    expect((await expose({ exposed: false }, `db_${exposedName}`, crowd.tokens.owner)).status).toBe(200);
    expect((await expose({ exposed: true }, `db_${refusedName}`, crowd.tokens.owner)).status).toBe(200);
  });
});

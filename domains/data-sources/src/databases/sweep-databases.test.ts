import { sql } from "kysely";
import { recordingLogger } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabasesFixture, type DatabasesFixture, type TestOrg } from "../testing/databases-fixture.ts";
import { createDatabase } from "./create-database.ts";
import type { DatabaseProvider } from "./database-provider.ts";
import { sweepDatabases } from "./sweep-databases.ts";
import { authorIn } from "../testing/author-in.ts";

let fixture: DatabasesFixture;
let org: TestOrg;
const names = ["creating", "ready", "rotating", "closing", "closed", "closed_rotating", "over"];

beforeAll(async () => {
  fixture = await createDatabasesFixture();
  org = fixture.createOrg();
  for (const name of names) await createDatabase(fixture.context, authorIn(org.id), { name, data_source: false });
  const set = (name: string, changes: string) =>
    sql`update data_sources.databases set ${sql.raw(changes)} where name = ${name}`.execute(fixture.db);
  await set("ready", "status = 'ready', address = '{}'");
  await set("rotating", "status = 'ready', address = '{}', next_owner_secret = 'x', next_reader_secret = 'x'");
  const deleting = (after: string) => `status = 'deleting', delete_after = now() + interval '${after}'`;
  await set("closing", `${deleting("1 day")}, address = '{}'`);
  await set("closed", deleting("1 day"));
  await set("closed_rotating", `${deleting("1 day")}, next_owner_secret = 'x', next_reader_secret = 'x'`);
  await set("over", deleting("-1 second"));
});
afterAll(() => fixture?.close());

const closing = (open: string[]): DatabaseProvider => ({ ...fixture.provider, closeToStrangers: async () => open });

describe("the sweep of databases", () => {
  it("resumes exactly those that are not as their rows say", async () => {
    const resumed: string[] = [];
    await sweepDatabases({ ...fixture, provider: closing([]), log: fixture.context.log }, async (of) => {
      expect(of.org_id).toBe(org.id);
      resumed.push(of.database_id);
    });
    const found = await Promise.all(
      ["creating", "rotating", "closing", "closed_rotating", "over"].map(
        async (name) => (await fixture.databaseOf(org, name)).database_id,
      ),
    );
    expect(resumed.toSorted()).toEqual(found.toSorted());
  });

  it("warns of databases that stay open to every role", async () => {
    const { log, lines } = recordingLogger();
    await sweepDatabases({ ...fixture, provider: closing(["elsewhere"]), log }, async () => undefined);
    expect(lines).toMatchObject([{ level: "warn", databases: ["elsewhere"] }]);
  });

  it("resumes nothing while the server is away, so that nothing fails in vain", async () => {
    const away: DatabaseProvider = {
      ...fixture.provider,
      closeToStrangers: async () => {
        throw new Error("the server is away");
      },
    };
    let resumed = 0;
    const sweeping = sweepDatabases({ ...fixture, provider: away, log: fixture.context.log }, async () => {
      resumed += 1;
    });
    await expect(sweeping).rejects.toThrow("away");
    expect(resumed).toBe(0);
  });
});

import { randomBytes } from "node:crypto";
import { seal } from "@svc/platform/secrets";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secretContext } from "../databases/connect.ts";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes, NOTES_CONFIGURATION } from "../testing/notes.ts";
import { servicesUnderTest } from "@svc/platform/testing";
import pg from "pg";

let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDataSourcesFixture();
  customer = await createCustomerDatabase();
  org = fixture.createOrg();
  await createNotes(customer);
  await exposeNotes(fixture, org, customer);
});
afterAll(async () => {
  await fixture.close();
  await customer.drop();
});

const ask = () => fixture.ask(org.tokens.viewer, "db_notes", { query: "holidays" });

/** Another process changed something, and its news has not arrived here yet. */
async function withoutNews(change: () => Promise<unknown>): Promise<void> {
  const { sourceChanged } = fixture.context;
  fixture.context.sourceChanged = async () => undefined;
  await change();
  fixture.context.sourceChanged = sourceChanged;
}

describe("a question to a source that was changed elsewhere a moment ago", () => {
  it("is answered by the new configuration, although the old one was remembered", async () => {
    expect((await ask()).body.results[0].metadata).toHaveProperty("body");
    const [entry] = NOTES_CONFIGURATION.connection_config.embedding_configs;
    const narrower = { connection_config: { embedding_configs: [{ ...entry, content_columns: "id,title" }] } };
    await withoutNews(() => fixture.call("PUT", "/api/wf/data-sources/db_notes", org.tokens.developer, narrower));
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(Object.keys(body.results[0].metadata)).toEqual(["_score", "_target"]);
  });

  it("is answered with the new password, although the old one was remembered", async () => {
    expect((await ask()).status).toBe(200);
    const password = randomBytes(16).toString("hex");
    const admin = new pg.Client({ connectionString: servicesUnderTest().postgresAdminUrl });
    await admin.connect();
    await admin.query(`alter role ${customer.names.readerRole} password '${password}'`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [
      customer.names.readerRole,
    ]);
    await admin.end();
    await fixture.context.db
      .updateTable("data_sources.databases")
      .set({ reader_secret: seal(fixture.context.keyring, password, secretContext(customer.id, "reader")) })
      .where("name", "=", "notes")
      .execute();
    expect((await ask()).status).toBe(200);
  });
});

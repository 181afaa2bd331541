import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError } from "@svc/platform/errors";
import { recordingLogger, waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes } from "../testing/notes.ts";
import { wordModels } from "../testing/word-model.ts";

const TIMEOUT_MS = 600;
const { log, lines } = recordingLogger();
const models = wordModels();

let fixture: DataSourcesFixture;
let healthy: TestOrg;
let healthyCustomer: CustomerDatabase;

beforeAll(async () => {
  fixture = await createDataSourcesFixture({ models, log, questionTimeoutMs: TIMEOUT_MS, connectionsPerPool: 2 });
  healthy = fixture.createOrg();
  healthyCustomer = await createCustomerDatabase();
  await createNotes(healthyCustomer);
  await exposeNotes(fixture, healthy, healthyCustomer);
});
afterAll(async () => {
  await fixture.close();
  await healthyCustomer.drop();
});

/** A source of its own, which the test then breaks. */
async function withSource(
  run: (world: { org: TestOrg; customer: CustomerDatabase; ask: (q?: object) => Promise<any> }) => Promise<void>,
) {
  const customer = await createCustomerDatabase();
  try {
    const org = fixture.createOrg();
    await createNotes(customer);
    await exposeNotes(fixture, org, customer);
    await run({
      org,
      customer,
      ask: (question = { query: "holidays" }) => fixture.ask(org.tokens.viewer, "db_notes", question),
    });
  } finally {
    await customer.drop();
  }
}

async function expectHealthyOthers(): Promise<void> {
  const startedAt = performance.now();
  expect((await fixture.ask(healthy.tokens.viewer, "db_notes", { query: "holidays" })).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS);
}

describe("a customer's database that was changed after saving", () => {
  it.each([
    ["table dropped", "drop table notes"],
    ["table renamed", "alter table notes rename to other"],
    ["column dropped", "alter table notes drop column title"],
    ["filter column dropped", "alter table notes drop column lang"],
    [
      "vectors of another length",
      "alter table notes drop column embedding; alter table notes add column embedding vector(3); grant select on notes to public; update notes set embedding = '[1,2,3]'",
    ],
    [
      "rights taken back",
      "revoke all on notes from public; do $$ begin execute format('revoke all on notes from %I', replace(current_user::text, '_owner', '_reader')); end $$; revoke select (id, title, body, lang, year, draft, embedding) on notes from public",
    ],
    ["extension missing", "drop extension vector cascade"],
  ])("is a conflict that says whom to ask: %s", (_what, statement) =>
    withSource(async ({ customer, ask }) => {
      expect((await ask()).status).toBe(200);
      const admin = statement.startsWith("drop extension") ? await asSuperuser(customer) : customer.owner;
      await admin.query(statement);
      if (admin !== customer.owner) await admin.end();
      const { status, body } = await ask({ query: "holidays", filters: { lang: "en" } });
      expect([status, body.code]).toEqual([409, "SEARCH_CONFIGURATION_STALE"]);
      expect(body.detail).toContain("Ask an admin");
    }),
  );

  it("goes on answering when only a type was widened", () =>
    withSource(async ({ customer, ask }) => {
      expect((await ask()).status).toBe(200);
      await customer.owner.query("alter table notes alter column year type bigint");
      expect((await ask()).status).toBe(200);
    }));
});

describe("a customer's database that is slow", () => {
  it("ends in a time-out, and others do not notice", () =>
    withSource(async ({ customer, ask }) => {
      expect((await ask()).status).toBe(200);
      const lock = await customer.owner.connect();
      try {
        await lock.query("begin; lock table notes in access exclusive mode");
        const startedAt = performance.now();
        const slow = Promise.all(Array.from({ length: 6 }, () => ask()));
        await expectHealthyOthers();
        const answers = await slow;
        expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS * 5);
        for (const { status, body } of answers) {
          expect([
            [504, "TIMEOUT"],
            [503, "SOURCE_UNAVAILABLE"],
          ]).toContainEqual([status, body.code]);
        }
        expect(answers.filter(({ status }) => status === 504).length).toBeGreaterThanOrEqual(2);
      } finally {
        await lock.query("rollback");
        lock.release();
      }
      expect((await ask()).status).toBe(200);
    }));

  it("is told to stop when the caller goes away", () =>
    withSource(async ({ org, customer }) => {
      await fixture.app.listen({ port: 0, host: "127.0.0.1" }).catch(() => undefined);
      const { port } = fixture.app.server.address() as AddressInfo;
      const patient = await createDataSourcesPatience(customer);
      const lock = await customer.owner.connect();
      try {
        await lock.query("begin; lock table notes in access exclusive mode");
        const call = request({
          port,
          host: "127.0.0.1",
          method: "POST",
          path: "/api/wf/slim/data-sources/db_notes/query",
          headers: { authorization: `Bearer ${org.tokens.viewer}`, "content-type": "application/json" },
        });
        call.on("error", () => undefined);
        call.end(JSON.stringify({ query: "never mind" }));
        await waitUntil(async () => (await patient.waiting()) === 1);
        const goneAt = performance.now();
        call.destroy();
        await waitUntil(async () => (await patient.waiting()) === 0);
        expect(performance.now() - goneAt).toBeLessThan(TIMEOUT_MS * 0.8);
      } finally {
        await lock.query("rollback");
        lock.release();
      }
    }));
});

describe("a customer's database that cannot be reached", () => {
  it("is unavailable for now: refused connections", async () => {
    const org = fixture.createOrg();
    await breakAddress(org, { host: "127.0.0.1", port: 1, tls: false });
    const { status, body, headers } = await fixture.ask(org.tokens.viewer, "db_gone", { query: "holidays" });
    expect([status, body.code, headers["retry-after"]]).toEqual([503, "SOURCE_UNAVAILABLE", "2"]);
  });

  it("is unavailable for now: a server that takes connections and says nothing", async () => {
    const sockets = new Set<Socket>();
    const mute: Server = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
    await once(mute, "listening");
    try {
      const org = fixture.createOrg();
      await breakAddress(org, { host: "127.0.0.1", port: (mute.address() as AddressInfo).port, tls: false });
      const startedAt = performance.now();
      const asked = fixture.ask(org.tokens.viewer, "db_gone", { query: "holidays" });
      await expectHealthyOthers();
      const { status, body } = await asked;
      expect([status, body.code]).toEqual([503, "SOURCE_UNAVAILABLE"]);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    } finally {
      for (const socket of sockets) socket.destroy();
      mute.close();
    }
  });

  it("is unavailable for now: no connection left", () =>
    withSource(async ({ customer, ask }) => {
      const admin = await asSuperuser(customer);
      await admin.query(`alter role ${customer.names.readerRole} connection limit 0`);
      await admin.end();
      const { status, body } = await ask();
      expect([status, body.code]).toEqual([503, "SOURCE_UNAVAILABLE"]);
    }));

  it("is unavailable for now: connections cut off under the question, and answers the next", () =>
    withSource(async ({ customer, ask }) => {
      expect((await ask()).status).toBe(200);
      const lock = await customer.owner.connect();
      await lock.query("begin; lock table notes in access exclusive mode");
      const asked = ask();
      const admin = await asSuperuser(customer);
      await waitUntil(async () => {
        const { rowCount } = await admin.query(
          "select from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'",
          [customer.names.readerRole],
        );
        return rowCount === 1;
      });
      // Waits until they are gone: the next question must not find one that only looks alive.
      await admin.query("select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = $1", [
        customer.names.readerRole,
      ]);
      await admin.end();
      const { status, body } = await asked;
      expect([status, body.code]).toEqual([503, "SOURCE_UNAVAILABLE"]);
      await lock.query("rollback");
      lock.release();
      expect((await ask()).status).toBe(200);
    }));
});

describe("an embedding provider that fails", () => {
  it("gives its typed problem, and is asked again next time", () =>
    withSource(async ({ ask }) => {
      const embedder = models.find("words");
      if (!embedder) throw new Error("no model");
      const works = embedder.embed;
      embedder.embed = async () => {
        throw new AppError("EMBEDDING_FAILED", "The embedding provider failed.");
      };
      const { status, body } = await ask({ query: "while it is down" });
      expect([status, body.code]).toEqual([502, "EMBEDDING_FAILED"]);
      embedder.embed = works;
      expect((await ask({ query: "while it is down" })).status).toBe(200);
    }));
});

describe("all of this", () => {
  it("was logged without a word of a question, a filter or a row, and without a stack for trouble we know", () => {
    const logged = lines.map((line) => JSON.stringify(line)).join("\n");
    expect(logged).toContain("customer database: 57014");
    for (const word of ["holidays", "while it is down", "never mind", "request failed"])
      expect(logged).not.toContain(word);
  });
});

async function breakAddress(org: TestOrg, address: object): Promise<void> {
  await fixture.addSource(org, "gone");
  const plan = {
    entries: [
      {
        label: "a",
        model: "words",
        dimensions: 64,
        metric: "cosine",
        schema: "public",
        table: "notes",
        vectorColumn: "embedding",
        contentColumns: ["id"],
        filterCasts: {},
        extensionSchema: "public",
        index: null,
      },
    ],
  };
  await fixture.context.db
    .updateTable("data_sources.databases")
    .set({ address: JSON.stringify(address) })
    .where("name", "=", "gone")
    .execute();
  await fixture.context.db
    .updateTable("data_sources.sources")
    .set({
      connection_config: JSON.stringify({ embedding_configs: [] }),
      search_plan: JSON.stringify(plan),
      exposed: true,
    })
    .where("database_name", "=", "gone")
    .execute();
  await fixture.context.sourceChanged(org.id);
}

async function asSuperuser({ names }: CustomerDatabase) {
  const { default: pg } = await import("pg");
  const { servicesUnderTest } = await import("@svc/platform/testing");
  const url = new URL(servicesUnderTest().postgresAdminUrl);
  url.pathname = `/${names.database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

async function createDataSourcesPatience(customer: CustomerDatabase) {
  return {
    waiting: async (): Promise<number> => {
      const admin = await asSuperuser(customer);
      try {
        const { rows } = await admin.query(
          "select pid from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'",
          [customer.names.readerRole],
        );
        return rows.length;
      } finally {
        await admin.end();
      }
    },
  };
}

import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordingLogger, waitUntil } from "@svc/platform/testing";
import { createNotes } from "../testing/notes.ts";
import { saveSearchConfiguration } from "./save-search-configuration.ts";
import { createSourceUnderTest, type SourceUnderTest } from "./testing/source-under-test.ts";
import { authorIn } from "../testing/author-in.ts";

let source: SourceUnderTest;

const configuration = (content: string): object => ({
  connection_config: {
    embedding_configs: [{ label: "notes", table: "notes", model: "words", dimensions: 64, content_columns: content }],
  },
});
const grantsOf = (...columns: string[]): string[] => [
  ...["embedding", ...columns].toSorted().map((column) => `notes.${column}: SELECT`),
  "public: USAGE",
];

beforeAll(async () => {
  source = await createSourceUnderTest();
  await createNotes(source.customer);
});
afterAll(() => source.close());
beforeEach(async () => {
  await source.save(configuration("id, title"));
});

async function refuseGrants(): Promise<void> {
  await source.asAdmin(`
    create or replace function refuse_grants() returns event_trigger language plpgsql
      as 'begin raise insufficient_privilege; end';
    create event trigger refuse_grants on ddl_command_start when tag in ('GRANT') execute function refuse_grants()`);
}

async function savedContent(): Promise<string | undefined> {
  return (await source.row()).connection_config?.embedding_configs[0]?.content_columns;
}

describe("a save that fails", () => {
  it("at its very end leaves the old configuration with the old grants", async () => {
    const { db } = source.context;
    // Refuses at the commit, when the grants are made already.
    await sql`create function public.refuse() returns trigger language plpgsql as 'begin raise exception $$no$$; end'`.execute(
      db,
    );
    await sql`create constraint trigger refuse after update on data_sources.sources
      deferrable initially deferred for each row execute function public.refuse()`.execute(db);
    const changes = source.changes();
    await expect(source.save(configuration("id, secret"))).rejects.toThrow("no");
    await sql`drop trigger refuse on data_sources.sources`.execute(db);
    expect(await savedContent()).toBe("id, title");
    expect(await source.readerGrants()).toEqual(grantsOf("id", "title"));
    expect(source.changes()).toBe(changes);
  });

  it("at the grants leaves everything as it was", async () => {
    const before = { row: await source.row(), grants: await source.readerGrants() };
    // The catalog still has the table, and the database refuses the grant.
    await refuseGrants();
    expect(await source.refusal(configuration("id, secret"))).toMatchObject({ code: "CONFLICT" });
    await source.asAdmin("drop event trigger refuse_grants");
    expect({ row: await source.row(), grants: await source.readerGrants() }).toEqual(before);
  });

  it("and cannot be undone either is said in the log, and mended by the next save", async () => {
    const { log, lines } = recordingLogger();
    const context = { ...source.context, log };
    await refuseGrants();
    await expect(
      saveSearchConfiguration(context, authorIn(source.org.id), "db_notes", configuration("id, body"), {
        dryRun: false,
      }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    await source.asAdmin("drop event trigger refuse_grants");
    expect(lines).toMatchObject([{ level: "error", msg: "the reader's grants are not those of the saved search" }]);
    await source.save(configuration("id, body"));
    expect(await source.readerGrants()).toEqual(grantsOf("body", "id"));
  });

  it("because the extension is gone says how to get it back", async () => {
    await source.customer.owner.query("create table plain (id integer, embedding text)");
    await source.asAdmin("alter table notes drop column embedding; drop extension vector");
    const error = await source.refusal({
      connection_config: {
        embedding_configs: [{ label: "plain", table: "plain", model: "words", dimensions: 64, content_columns: "id" }],
      },
    });
    expect(error.problems).toEqual([
      {
        path: "connection_config.embedding_configs",
        message: "the extension vector is not in this database. Run create extension vector, or ask the operator to",
      },
      {
        path: "connection_config.embedding_configs.0.columns.0",
        message: "column embedding is text; only vector columns can be searched: name a column of type vector(N)",
      },
    ]);
    expect(await source.save({ connection_config: { embedding_configs: [] } })).toMatchObject({ warnings: [] });
    await source.asAdmin("create extension vector; alter table notes add column embedding vector(64)");
  });

  it("because nobody answers says so", async () => {
    const { db } = source.context;
    const elsewhere = JSON.stringify({ host: "127.0.0.1", port: 1, tls: false });
    const { address } = await source.row();
    await sql`update data_sources.databases set address = ${elsewhere}::jsonb`.execute(db);
    expect(await source.refusal(configuration("id"))).toMatchObject({
      code: "SOURCE_UNAVAILABLE",
      message: "The database cannot be reached or is busy. Try again shortly.",
      retryAfterSeconds: 2,
    });
    await sql`update data_sources.databases set address = ${JSON.stringify(address)}::jsonb`.execute(db);
    expect(await savedContent()).toBe("id, title");
  });

  it("because the password is another says so, and tells nobody the password", async () => {
    const { names, ownerPassword } = source.customer;
    await source.asAdmin(`alter role ${names.ownerRole} password 'another'`);
    const error = await source.refusal(configuration("id"));
    await source.asAdmin(`alter role ${names.ownerRole} password '${ownerPassword}'`);
    expect(error.code).toBe("SOURCE_UNAVAILABLE");
    expect(JSON.stringify([error.message, String(error.cause)])).toBe(
      JSON.stringify([error.message, "Error: customer database: 28P01"]),
    );
  });

  it("because the database hangs ends after five seconds", async () => {
    const { owner } = source.customer;
    const hanging = source.asAdmin("begin; lock table pg_extension in access exclusive mode; select pg_sleep(6)");
    await waitUntil(async () => {
      const { rows } = await owner.query(
        "select 1 from pg_locks where relation = 3079 and mode = 'AccessExclusiveLock'",
      );
      return rows.length > 0;
    });
    expect(await source.refusal(configuration("id"))).toMatchObject({
      code: "TIMEOUT",
      message: "The database took longer than 5 seconds. Try again when it is less busy.",
    });
    await hanging;
    expect(await savedContent()).toBe("id, title");
  });
});

describe("saves at the same moment", () => {
  it("come one after the other: grants are always those of what was saved last", async () => {
    const contents = ["id", "id, title", "id, body", "id, lang", "id, year", "id, secret"];
    const saved = await Promise.all(contents.map((content) => source.save(configuration(content))));
    expect(saved).toHaveLength(contents.length);
    const last = (await savedContent())?.split(", ") ?? [];
    expect(await source.readerGrants()).toEqual(grantsOf(...last));
  });
});

describe("what the owner of a database sets for its sessions", () => {
  it("changes neither what is found nor what is granted", async () => {
    const { owner, names } = source.customer;
    await owner.query(`
      create schema evil;
      create function evil.pg_has_role(oid, text) returns boolean language sql as 'select false';
      create function evil.quote_ident(name) returns text language sql as 'select $$notes to public$$';
      create table evil.pg_extension (extname text)`);
    for (const setting of [
      "search_path = evil, pg_catalog, public",
      "default_transaction_read_only = on",
      "quote_all_identifiers = on",
      "statement_timeout = 1",
      "lock_timeout = 1",
    ]) {
      await owner.query(`alter role ${names.ownerRole} in database ${names.database} set ${setting}`);
    }
    await source.save(configuration("id, body"));
    expect(await source.readerGrants()).toEqual(grantsOf("body", "id"));
    await source.asAdmin(`alter role ${names.ownerRole} in database ${names.database} reset all`);
  });
});

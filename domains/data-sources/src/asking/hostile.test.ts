import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCustomerDatabase, type CustomerDatabase } from "../testing/customer-database.ts";
import { createDataSourcesFixture, type DataSourcesFixture, type TestOrg } from "../testing/data-sources-fixture.ts";
import { createNotes, exposeNotes, NOTES_CONFIGURATION, SECRET_TEXT } from "../testing/notes.ts";

let fixture: DataSourcesFixture;
let customer: CustomerDatabase;
let org: TestOrg;
let before: string;

/** Each is tried as a filter's column, a filter's value, a target, a label, a table, a column and a question. */
const HOSTILE = [
  "'",
  '"',
  "''",
  '""',
  "`",
  "\\",
  "\\'",
  ";",
  "--",
  "/*",
  "*/",
  "$$",
  "$1",
  "${1}",
  "%s",
  "%",
  "_",
  "' or '1'='1",
  '" or ""="',
  "1 or 1=1",
  "'; drop table notes; --",
  '"; drop table notes; --',
  "notes; delete from notes",
  'id" from notes; --',
  'embedding" <=> $1, secret as "x',
  "secret",
  "public.notes.secret",
  "notes.secret",
  "*",
  "notes.*",
  "pg_catalog.pg_authid",
  "information_schema.tables",
  "pg_shadow",
  "pg_sleep(10)",
  "(select secret from notes limit 1)",
  "id::text",
  "secret::int",
  "cast(secret as int)",
  "id) union select secret, secret from notes --",
  "en' union select secret --",
  "{en,de}",
  '{"a","b"}',
  "{NULL}",
  "array['en']",
  "en\u0000",
  "\u0000",
  "\ufeffid",
  "id\u200b",
  "ｉｄ",
  "ĳ",
  "İd",
  "ıd",
  "\u202eid",
  "🙂",
  "e\u0301",
  "\ud800",
  "\n",
  "\r\n",
  "\t",
  " ",
  "  id",
  "id ",
  "ID",
  "Id",
  "null",
  "NULL",
  "true",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "_score",
  "_target",
  "ctid",
  "xmin",
  "tableoid",
  "oid",
  "1e308",
  "1e309",
  "-1e999",
  "999999999999999999999999999999",
  "0x41",
  "1_000",
  "Infinity",
  "NaN",
  "-0",
  "1.",
  ".1",
  "+1",
  "2024-01-01",
  "now()",
  "current_user",
  "session_user",
  "version()",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "a".repeat(63),
  "a".repeat(64),
  "a".repeat(300),
  "'".repeat(200),
  '"'.repeat(100),
  "((((((((((",
  "]]]]]",
  "{{{{{",
];

beforeAll(async () => {
  fixture = await createDataSourcesFixture();
  customer = await createCustomerDatabase();
  org = fixture.createOrg();
  await createNotes(customer);
  await exposeNotes(fixture, org, customer);
  before = await fingerprint();
}, 60_000);
afterAll(async () => {
  await fixture.close();
  await customer.drop();
});

/** Everything there is: definitions, rights and rows. */
async function fingerprint(): Promise<string> {
  const { rows } = await customer.owner.query(`
    select (select json_agg(n order by id) from notes n)::text as rows,
      (select json_agg((relname, relkind::text, relacl::text) order by relname) from pg_class where relnamespace = 'public'::regnamespace)::text as tables,
      (select json_agg((attrelid::regclass::text, attname, attacl::text) order by 1, attname) from pg_attribute where attrelid = 'public.notes'::regclass and attnum > 0)::text as columns`);
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
}

function expectNothingExtra({ status, text, body }: { status: number; text: string; body: any }): void {
  expect(status).toBeLessThan(500);
  expect(text).not.toContain(SECRET_TEXT);
  if (status !== 200) return;
  for (const hit of body.results) {
    expect(Object.keys(hit).toSorted()).toEqual(["id", "metadata", "title"]);
    expect(Object.keys(hit.metadata).toSorted()).toEqual(["_score", "_target", "body", "lang", "year"]);
  }
}

describe(`${HOSTILE.length * 7} hostile inputs`, () => {
  it("as filter columns, filter values, targets and questions show no other column and change nothing", async () => {
    const ask = (question: object) => fixture.ask(org.tokens.viewer, "db_notes", question);
    for (const text of HOSTILE) {
      const asColumn = await ask({ query: "days", filters: Object.fromEntries([[text, "x"]]) });
      expectNothingExtra(asColumn);
      expect(asColumn.status).toBe(400);
      for (const column of ["lang", "year", "draft"]) {
        const asValue = await ask({ query: "days", filters: { [column]: [text] } });
        expectNothingExtra(asValue);
        const found = asValue.status === 200 && column === "lang" ? asValue.body.count : 0;
        expect(found).toBe(0);
      }
      const asTarget = await ask({ query: "days", target: text });
      expectNothingExtra(asTarget);
      expect(asTarget.status).toBe(400);
      expectNothingExtra(await ask({ query: text }));
    }
    expect(await fingerprint()).toBe(before);
  }, 60_000);

  it("as tables, columns, content columns and filter columns of a configuration save nothing and change nothing", async () => {
    const [entry] = NOTES_CONFIGURATION.connection_config.embedding_configs;
    const save = (change: object, filter_schema: object = {}) =>
      fixture.call("PUT", "/api/wf/data-sources/db_notes", org.tokens.developer, {
        connection_config: { embedding_configs: [{ ...entry, ...change }] },
        filter_schema,
      });
    for (const text of HOSTILE) {
      // Some are names of the table's own columns once the spaces around them are gone.
      if (text.trim() === "id" || text === "secret") continue;
      for (const attempt of [
        save({ table: text }),
        save({ columns: [text] }),
        save({ content_columns: `id, ${text}` }),
        save({}, Object.fromEntries([[text, "string"]])),
      ]) {
        const { status, body } = await attempt;
        expect([text, status]).toEqual([text, 400]);
        expect(["INVALID_SEARCH_CONFIGURATION", "INVALID_REQUEST"]).toContain(body.code);
        // A key called __proto__ is refused by who reads the JSON, before anything is looked at.
        expect(body.code === "INVALID_REQUEST" || body.problems.length > 0).toBe(true);
      }
    }
    expect(await fingerprint()).toBe(before);
  }, 120_000);

  it("as identifiers of a source are just not there", async () => {
    for (const text of HOSTILE) {
      const answer = await fixture.ask(org.tokens.viewer, encodeURIComponent(text.toWellFormed()), { query: "x" });
      expect([400, 404]).toContain(answer.status);
    }
  });
});

describe("a direct session as the reader", () => {
  it.each([
    "select secret from notes",
    "select * from notes",
    "select n.* from notes n",
    "select n::text from notes n",
    "insert into notes (id) values (99)",
    "update notes set title = 'x'",
    "delete from notes",
    "truncate notes",
    "create table mine (a int)",
    "create temporary table mine (a int)",
    "drop table notes",
    "alter table notes add column x int",
    "grant select on notes to public",
    "copy notes to '/tmp/notes'",
    "copy (select secret from notes) to stdout",
  ])("cannot: %s", async (statement) => {
    const session = await customer.reader.connect();
    try {
      await session.query("set default_transaction_read_only = off; set search_path = public");
      await expect(session.query(statement)).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|25006|0A000)$/),
      });
    } finally {
      session.release(true);
    }
    expect(await fingerprint()).toBe(before);
  });

  it("reads exactly the content, vector and filter columns", async () => {
    const { rows } = await customer.reader.query(
      `select attname from pg_attribute where attrelid = 'public.notes'::regclass and attnum > 0
        and has_column_privilege(attrelid, attnum, 'select') order by attname`,
    );
    expect(rows.map(({ attname }) => attname)).toEqual(["body", "draft", "embedding", "id", "lang", "title", "year"]);
  });
});

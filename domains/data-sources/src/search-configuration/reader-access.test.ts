import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createNotes } from "../testing/notes.ts";
import { createSourceUnderTest, type SourceUnderTest } from "./testing/source-under-test.ts";

let source: SourceUnderTest;

const entry = (table: string, content: string): object => ({
  label: table,
  table,
  model: "words",
  dimensions: 64,
  content_columns: content,
});
const configuration = (entries: object[], filters: object = {}): object => ({
  connection_config: { embedding_configs: entries },
  filter_schema: filters,
});

/** The columns that a session as the reader gets an answer for, one by one. */
async function readable(table: string): Promise<string[]> {
  const columns = ["id", "title", "body", "lang", "year", "draft", "secret", "embedding", "ctid"];
  const tried = await Promise.all(columns.map((column) => succeeds(`select ${column} from ${table}`)));
  return columns.filter((_, place) => tried[place]);
}

async function succeeds(statement: string): Promise<boolean> {
  return source.customer.reader.query(statement).then(
    () => true,
    (error: { code?: string }) => {
      // Not some other mistake: exactly the missing grant.
      expect(error.code).toBe("42501");
      return false;
    },
  );
}

beforeAll(async () => {
  source = await createSourceUnderTest();
  await createNotes(source.customer);
  await source.customer.owner.query("create schema app");
  await createNotes(source.customer, "app.tasks");
});
afterAll(() => source.close());
beforeEach(async () => {
  await source.save(
    configuration([entry("notes", "id, title, body"), entry("app.tasks", "id, title")], { lang: "string" }),
  );
});

describe("a session as the reader", () => {
  it("reads exactly the columns that answers and filters need", async () => {
    expect(await readable("public.notes")).toEqual(["id", "title", "body", "lang", "embedding"]);
    expect(await readable("app.tasks")).toEqual(["id", "title", "lang", "embedding"]);
    const statements = [
      "select * from public.notes",
      "select notes from public.notes",
      "select to_jsonb(notes) from public.notes",
      "select id from public.notes where secret like 'o%'",
      "select id from public.notes order by secret",
      "table app.tasks",
    ];
    const allowed = await Promise.all(statements.map(succeeds));
    expect(statements.filter((_, place) => allowed[place])).toEqual([]);
  });

  it("writes nothing, whatever it sets first", async () => {
    const session = await source.customer.reader.connect();
    await session.query(
      "set default_transaction_read_only = off; set session characteristics as transaction read write",
    );
    const statements = [
      "update public.notes set title = 'x'",
      "update public.notes set title = title where id = 1",
      "insert into public.notes (id) values (99)",
      "delete from public.notes",
      "truncate public.notes",
      "select id from public.notes for update",
      "create table public.mine (id integer)",
      "create table app.mine (id integer)",
      "drop table public.notes",
      "alter table public.notes add column mine integer",
      "grant select on public.notes to public",
    ];
    const outcomes: string[] = [];
    for (const statement of statements) {
      outcomes.push(
        await session.query(statement).then(
          () => `done: ${statement}`,
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(outcomes).toEqual(statements.map(() => "42501"));
    session.release(true);
  });

  it("loses the column that the next save leaves out", async () => {
    await source.save(configuration([entry("notes", "id, title"), entry("app.tasks", "id, title")]));
    expect(await readable("public.notes")).toEqual(["id", "title", "embedding"]);
  });

  it("loses the table that the next save leaves out, and the schema it was in", async () => {
    await source.save(configuration([entry("notes", "id, title")]));
    expect(await readable("app.tasks")).toEqual([]);
    expect(await source.readerGrants()).toEqual([
      "notes.embedding: SELECT",
      "notes.id: SELECT",
      "notes.title: SELECT",
      "public: USAGE",
    ]);
  });

  it("loses everything else that it was granted in the meantime", async () => {
    const { owner, names } = source.customer;
    const reader = names.readerRole;
    await owner.query(`
      create view all_notes as select * from notes; create sequence numbers; create schema other;
      grant all on notes, all_notes, app.tasks to ${reader} with grant option; grant all on sequence numbers to ${reader};
      grant update (secret), insert (secret), references (secret) on notes to ${reader};
      grant all on schema other, app to ${reader}`);
    expect(await readable("public.notes")).toContain("secret");
    await source.save(configuration([entry("notes", "id")]));
    expect(await source.readerGrants()).toEqual(["notes.embedding: SELECT", "notes.id: SELECT", "public: USAGE"]);
  });

  it("can be asked to read a table under a new name only after another save", async () => {
    await source.customer.owner.query("alter table app.tasks rename to jobs");
    const error = await source.refusal(configuration([entry("app.tasks", "id, title")]));
    expect(error.problems?.[0]?.message).toBe('table "tasks" is not in schema app; it has: jobs');
    await source.save(configuration([entry("app.jobs", "id, title")]));
    expect(await readable("app.jobs")).toEqual(["id", "title", "embedding"]);
    expect(await readable("public.notes")).toEqual([]);
    await source.customer.owner.query("alter table app.jobs rename to tasks");
  });
});

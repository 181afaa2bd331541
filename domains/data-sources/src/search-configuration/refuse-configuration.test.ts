import type { FieldProblem } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wordModels } from "../testing/word-model.ts";
import { configuration, REFUSED } from "./testing/refused-configurations.ts";
import { createSourceUnderTest, type SourceUnderTest } from "./testing/source-under-test.ts";

let source: SourceUnderTest;
let before: { row: object; grants: string[] };

beforeAll(async () => {
  source = await createSourceUnderTest(wordModels({ words: 64, "wide-words": 128 }));
  await source.asAdmin(`
    create foreign data wrapper nothing; create server nowhere foreign data wrapper nothing;
    create foreign table notes_far (id integer) server nowhere;
    alter foreign table notes_far owner to ${source.customer.names.ownerRole};
    create table strangers (id integer, title text, embedding vector(64));
    create schema vault; create table vault.notes (id integer, title text, embedding vector(64));
    alter table vault.notes owner to ${source.customer.names.ownerRole}`);
  await source.customer.owner.query(`
    create table notes (id integer primary key, title text, body text, lang varchar(5), year integer, tags text[],
      meta jsonb, _score integer, embedding vector(64), half halfvec(64), sparse sparsevec(64), bits bit(64),
      reals real[], wide vector(128), ${"long_".repeat(12)}abc text);
    create table loose_notes (id integer, title text, embedding vector);
    create view notes_view as select * from notes;
    create materialized view notes_kept as select * from notes;
    create sequence counter; create index notes_by_title on notes (title); create type pair as (a integer, b integer);
    create schema app; create table app.orders (id integer, title text, lang bigint, embedding vector(64));
    create schema "App.1"; create table app.tickets (id integer); create table "App.1".tickets (id integer)`);
  await source.save(configuration({ content_columns: "id, title, body" }, { lang: "string" }));
  before = { row: await source.row(), grants: await source.readerGrants() };
});
afterAll(() => source.close());

describe("a configuration is refused with every problem, and nothing changes, for", () => {
  it.each(REFUSED)("%s", async (_what, body, expected) => {
    const error = await source.refusal(body);
    const problems = expected.map(([path, message]): FieldProblem => ({ path, message }));
    expect(error.problems).toEqual(problems);
    expect(error.code).toBe("INVALID_SEARCH_CONFIGURATION");
    expect(error.message).toBe(`Invalid search configuration: ${problems.length} problem(s); nothing was saved.`);
    expect({ row: await source.row(), grants: await source.readerGrants() }).toEqual(before);
    expect(source.changes()).toBe(1);
  });
});

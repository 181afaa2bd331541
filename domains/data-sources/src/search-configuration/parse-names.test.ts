import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseColumnNames, parseTableName, writeName, writeTableName } from "./parse-names.ts";

const anyName = fc.string({ unit: "binary", minLength: 1, maxLength: 63 });

describe("a list of columns", () => {
  it.each([
    ["id", ["id"]],
    ["id, title ,body", ["id", "title", "body"]],
    ["  id\t,\n title ", ["id", "title"]],
    ["Id,ID,id", ["Id", "ID", "id"]],
    ["first name, last name", ["first name", "last name"]],
    ["notes.title", ["notes.title"]],
    ['"a,b",c', ["a,b", "c"]],
    ['" padded "', [" padded "]],
    ['"say ""hi"""', ['say "hi"']],
    ["\u00e9,e\u0301", ["\u00e9", "e\u0301"]],
    ["; drop table notes", ["; drop table notes"]],
  ])("%j is read as %j", (text, names) => expect(parseColumnNames(text)).toEqual({ names }));

  it.each(["", " ", ",", "id,", ",id", "id,,title", 'id,""', 'id, "" '])("%j is refused for an empty name", (text) => {
    expect(parseColumnNames(text)).toEqual({ problem: 'has an empty name: put one name between each two ","' });
  });

  it.each(['"id', 'id"', 'i"d', '"id" x', 'x "id"', '"a""', '"a"b"'])("%j is refused for a stray quote", (text) => {
    expect(parseColumnNames(text)).toEqual({
      problem: 'has a double quote out of place: write a name with a quote in it as "a ""quoted"" name"',
    });
  });

  it("reads back whatever names are written with it", () => {
    fc.assert(
      fc.property(fc.array(anyName, { minLength: 1 }), (names) => {
        expect(parseColumnNames(names.map(writeName).join(", "))).toEqual({ names });
      }),
    );
  });

  it("takes no time that grows faster than the text", () => {
    const startedAt = performance.now();
    for (const text of ['"'.repeat(4_001), '"a'.repeat(2_000), " ".repeat(4_000), `${" ".repeat(3_999)}"`]) {
      parseColumnNames(text);
    }
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

describe("the name of a table", () => {
  it.each([
    ["notes", { schema: undefined, name: "notes" }],
    ["app.notes", { schema: "app", name: "notes" }],
    [" app . notes ", { schema: "app", name: "notes" }],
    ['"app"."notes"', { schema: "app", name: "notes" }],
    ['"app.notes"', { schema: undefined, name: "app.notes" }],
    ['"A.b"."c""d"', { schema: "A.b", name: 'c"d' }],
    ["a,b", { schema: undefined, name: "a,b" }],
  ])("%j is read as %j", (text, name) => expect(parseTableName(text)).toEqual(name));

  it("has no third part", () => {
    expect(parseTableName("db.app.notes")).toEqual({
      problem: 'has 3 parts: write name or schema.name, with "quotes" around a dot',
    });
  });

  it("reads back whatever names are written with it", () => {
    fc.assert(
      fc.property(anyName, anyName, (schema, name) => {
        fc.pre(schema !== "public");
        expect(parseTableName(writeTableName({ schema, name }))).toEqual({ schema, name });
        expect(parseTableName(writeTableName({ schema: "public", name }))).toEqual({ schema: undefined, name });
      }),
    );
  });
});

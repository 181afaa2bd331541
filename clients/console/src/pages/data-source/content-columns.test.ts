import { expect, it } from "vitest";
import { readContentColumns } from "./content-columns.ts";

it("reads plain names in order, without the space around them", () => {
  expect(readContentColumns("id, title ,body")).toEqual(["id", "title", "body"]);
});

it("reads a name in double quotes as it is in the catalog", () => {
  expect(readContentColumns('id, "a,b", "a ""quoted"" name"')).toEqual(["id", "a,b", 'a "quoted" name']);
});

import { describe, expect, it } from "vitest";
import { displayWidth, renderPairs, renderTable } from "./render-table.ts";

describe("a table", () => {
  it("has columns as wide as what is in them, and no space at the end of a line", () => {
    expect(
      renderTable(
        ["ID", "NAME"],
        [
          ["db_notes", "n"],
          ["x", ""],
        ],
      ),
    ).toBe("ID        NAME\ndb_notes  n\nx\n");
  });

  it("is cut at the edge of the terminal", () => {
    expect(renderTable(["ID", "DESCRIPTION"], [["a", "0123456789012345"]], 12)).toBe("ID  DESCRIP…\na   0123456…\n");
  });

  it("is not cut where the terminal does not know its width, which it says as 0", () => {
    expect(renderTable(["ID"], [["0123456789"]], 0)).toBe("ID\n0123456789\n");
  });

  it("keeps each row on its line, whatever is in a cell", () => {
    expect(renderTable(["A", "B"], [["one\ntwo", "\u001b[2J"]])).toBe("A        B\none two  \\u001b[2J\n");
  });

  it("lines up characters that take two columns, or none", () => {
    expect(["abc", "日本", "é", "e\u0301", "😀"].map(displayWidth)).toEqual([3, 4, 1, 1, 2]);
    expect(
      renderTable(
        ["A", "B"],
        [
          ["日本", "x"],
          ["e\u0301", "y"],
        ],
      ),
    ).toBe("A     B\n日本  x\ne\u0301     y\n");
    expect(renderTable(["日本日本"], [["x"]], 6)).toBe("日本…\nx\n");
  });
});

it("pairs stand below each other", () => {
  expect(
    renderPairs([
      ["Role", "owner"],
      ["Organization", "Acme\r\n"],
    ]),
  ).toBe("Role          owner\nOrganization  Acme \n");
});

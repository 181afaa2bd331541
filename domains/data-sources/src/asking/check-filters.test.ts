import type { AppError } from "@svc/platform/errors";
import { describe, expect, it } from "vitest";
import { checkFilters } from "./check-filters.ts";

const SCHEMA = { lang: "string", year: "number", draft: "boolean" } as const;

function refusal(filters: object): AppError {
  try {
    checkFilters(filters as never, SCHEMA);
  } catch (error) {
    return error as AppError;
  }
  throw new Error("it was let through");
}

describe("filters", () => {
  it("take a value or several, by the type that the schema gives the column", () => {
    expect(checkFilters({ lang: "en", year: [2024, 2025.5], draft: false }, SCHEMA)).toEqual([
      { column: "lang", values: ["en"] },
      { column: "year", values: ["2024", "2025.5"] },
      { column: "draft", values: ["false"] },
    ]);
  });

  it("read numbers and booleans from text, which is all that a terminal has", () => {
    expect(checkFilters({ year: ["2024", " -1.5e3 "], draft: "true" }, SCHEMA)).toEqual([
      { column: "year", values: ["2024", "-1.5e3"] },
      { column: "draft", values: ["true"] },
    ]);
  });

  it("on a column outside filter_schema are refused with the column's name and the filterable columns", () => {
    const { code, message, problems } = refusal({ secret: "x", lang: "en" });
    expect(code).toBe("INVALID_FILTER");
    expect(message).toBe(
      'Cannot filter on "secret". Filterable columns: lang (string), year (number), draft (boolean).',
    );
    expect(problems).toEqual([{ path: "filters.secret", message: "is not a filterable column" }]);
  });

  it.each(["toString", "constructor", "__proto__", "hasOwnProperty"])("do not take %s for a column", (column) => {
    expect(refusal(JSON.parse(`{"${column}": "x"}`) as object).code).toBe("INVALID_FILTER");
  });

  it.each([
    [{ lang: 5 }, "string"],
    [{ lang: "a\u0000b" }, "string"],
    [{ lang: ["en", true] }, "string"],
    [{ year: "2024; drop table notes" }, "number"],
    [{ year: "" }, "number"],
    [{ year: "NaN" }, "number"],
    [{ year: "0x10" }, "number"],
    [{ year: true }, "number"],
    [{ draft: "yes" }, "boolean"],
    [{ draft: 1 }, "boolean"],
  ])("refuse %j and say what is needed", (filters, type) => {
    const { code, message } = refusal(filters);
    expect(code).toBe("INVALID_FILTER");
    expect(message).toMatch(new RegExp(`needs a ${type}\\.$`));
  });
});

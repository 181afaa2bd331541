import { describe, expect, it } from "vitest";
import { address, queryOf } from "./address.ts";

describe("an address", () => {
  it("takes each value as one segment, whatever is in it", () => {
    expect(address`GET /api/wf/databases/${"notes"}/connection`).toBe("GET /api/wf/databases/notes/connection");
    expect(address`GET /a/${"../b?c=d#e"}/${"ü %2e"}`).toBe("GET /a/..%2Fb%3Fc%3Dd%23e/%C3%BC%20%252e");
  });

  it.each(["", ".", ".."])("refuses %j, with which another address would be called", (name) => {
    expect(() => address`DELETE /api/wf/databases/${name}`).toThrow(`"${name}" is not the name or id of anything`);
  });

  it("stays below its path whatever the value is", () => {
    for (const name of ["..;", "...", "%2e%2e", "..%2f", "\\..\\", "//evil.example", "\n.."]) {
      const [, path = ""] = address`GET /api/wf/databases/${name}`.split(" ");
      const url = new URL(path, "https://app.example.com");
      expect(url.origin).toBe("https://app.example.com");
      expect(url.pathname).toMatch(/^\/api\/wf\/databases\/[^/]+$/);
    }
  });
});

describe("a query", () => {
  it("has what was given and nothing else", () => {
    expect(queryOf({})).toBe("");
    expect(queryOf({ a: undefined })).toBe("");
    expect(queryOf({ a: "x&b=2", limit: 5, c: undefined })).toBe("?a=x%26b%3D2&limit=5");
  });
});

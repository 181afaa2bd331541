import { describe, expect, it } from "vitest";
import { ERROR_CODES, ERRORS, problemSchema } from "./errors.ts";

const EXIT_CODES = new Set([0, 1, 3, 4, 5, 6, 7, 11]);

describe("the table of errors", () => {
  it.each(Object.entries(ERRORS))(
    "gives %s an HTTP error status, a title and a documented exit code",
    (code, entry) => {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(entry.status).toBeGreaterThanOrEqual(400);
      expect(entry.status).toBeLessThanOrEqual(599);
      expect(entry.title).toMatch(/^[A-Z][a-z]/);
      expect(EXIT_CODES).toContain(entry.exit);
    },
  );

  it("never lets an error end the command line with success", () => {
    const exits: number[] = Object.values(ERRORS).map(({ exit }) => exit);
    expect(exits).not.toContain(0);
  });

  it("has each code and each title once, so that a caller can tell errors apart by either", () => {
    const titles = Object.values(ERRORS).map(({ title }) => title);
    expect(new Set(ERROR_CODES).size).toBe(titles.length);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("keeps what callers rely on: no code is removed or given another status or exit code", () => {
    expect(ERRORS).toMatchObject({
      INVALID_REQUEST: { status: 400, exit: 5 },
      UNAUTHENTICATED: { status: 401, exit: 3 },
      FORBIDDEN: { status: 403, exit: 3 },
      NOT_FOUND: { status: 404, exit: 4 },
      CONFLICT: { status: 409, exit: 6 },
      PAYLOAD_TOO_LARGE: { status: 413, exit: 5 },
      UNSUPPORTED_MEDIA_TYPE: { status: 415, exit: 5 },
      RATE_LIMITED: { status: 429, exit: 1 },
      INTERNAL: { status: 500, exit: 1 },
      UNAVAILABLE: { status: 503, exit: 1 },
      TIMEOUT: { status: 504, exit: 7 },
    });
  });
});

describe("a problem", () => {
  const problem = {
    type: "urn:svc:error:CONFLICT",
    title: "Conflict",
    status: 409,
    detail: "Taken.",
    code: "CONFLICT",
  };

  it("is accepted with and without a list of field problems", () => {
    expect(problemSchema.safeParse(problem).success).toBe(true);
    const withFields = { ...problem, problems: [{ path: "name", message: "is taken" }] };
    expect(problemSchema.safeParse(withFields).success).toBe(true);
  });

  it.each([
    ["an unknown code", { code: "TEAPOT" }],
    ["a status that is no error", { status: 200 }],
    ["no detail", { detail: undefined }],
  ])("is refused with %s", (_what, change) => {
    expect(problemSchema.safeParse({ ...problem, ...change }).success).toBe(false);
  });

  it("holds no request id, which belongs in a header", () => {
    expect(problemSchema.parse({ ...problem, request_id: "abc" })).not.toHaveProperty("request_id");
  });
});

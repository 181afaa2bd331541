import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as contract from "./index.ts";

type JsonSchema = Record<string, unknown>;

const schemas: [string, z.ZodType][] = Object.entries(contract).flatMap(([name, value]) =>
  name.endsWith("Schema") && value instanceof z.ZodType ? [[name, value] as [string, z.ZodType]] : [],
);
schemas.push(["pageOf(...)", contract.pageOf(contract.roleSchema)]);
for (const prefix of contract.ID_PREFIXES) schemas.push([`idSchema(${prefix})`, contract.idSchema(prefix)]);

/** Paths of every string and array in a JSON Schema that a sender could make as long as they like. */
function unbounded(schema: unknown, path = "$"): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const node = schema as JsonSchema;
  const found: string[] = [];
  if (node["type"] === "string" && !isBoundedString(node)) found.push(path);
  if (node["type"] === "array" && typeof node["maxItems"] !== "number") found.push(path);
  for (const [key, child] of Object.entries(node)) found.push(...unbounded(child, `${path}.${key}`));
  return found;
}

function isBoundedString(node: JsonSchema): boolean {
  return "maxLength" in node || "enum" in node || "const" in node || node["format"] === "date-time";
}

describe("the contract", () => {
  it("finds schemas to look at", () => {
    expect(schemas.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "problemSchema",
        "eventSchema",
        "ingestRequestSchema",
        "callerSchema",
        "readinessSchema",
      ]),
    );
  });

  it.each(schemas)("bounds every string and every array of %s", (_name, schema) => {
    expect(unbounded(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))).toEqual([]);
    expect(unbounded(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }))).toEqual([]);
  });

  it("would notice a string or an array without a bound", () => {
    const careless = z.strictObject({ name: z.string(), tags: z.array(z.string().max(10)), kind: z.enum(["a"]) });
    expect(unbounded(z.toJSONSchema(careless))).toEqual(["$.properties.name", "$.properties.tags"]);
  });

  it("can be described in JSON Schema without leaving anything out", () => {
    for (const [, schema] of schemas) expect(() => z.toJSONSchema(schema)).not.toThrow();
  });
});

describe("a page", () => {
  const query = contract.pageQuerySchema;

  it("holds 50 items unless asked otherwise", () => {
    expect(query.parse({})).toEqual({ limit: 50 });
  });

  it.each([
    ["1", true],
    ["100", true],
    ["0", false],
    ["101", false],
    ["1.5", false],
    ["many", false],
  ])("of %s items can be asked for: %s", (limit, accepted) => {
    expect(query.safeParse({ limit }).success).toBe(accepted);
  });
});

describe("the answer about a token", () => {
  const { validateTokenResponseSchema } = contract;
  const org = { id: "org_01h455vb4pex5vsknk084sn02q", slug: "acme", name: "Acme" };
  const valid = { valid: true, kind: "api_token", org, role: "viewer", expires_at: null, cache_seconds: 5 };

  it("is either a caller or a reason, never both", () => {
    expect(validateTokenResponseSchema.safeParse(valid).success).toBe(true);
    expect(validateTokenResponseSchema.safeParse({ valid: false, reason: "expired" }).success).toBe(true);
    expect(validateTokenResponseSchema.parse({ ...valid, reason: "expired" })).not.toHaveProperty("reason");
    expect(validateTokenResponseSchema.safeParse({ ...valid, valid: false }).success).toBe(false);
  });

  it.each([-1, 61, Number.POSITIVE_INFINITY])("cannot be relied on for %d seconds", (cache_seconds) => {
    expect(validateTokenResponseSchema.safeParse({ ...valid, cache_seconds }).success).toBe(false);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareStack, type PrivateServices, type Stack, startPrivateServices } from "@svc/dev";

const WITH_API = ["auth-service", "api-gateway", "deploy-api", "mcp-server"] as const;

type Schema = Record<string, unknown>;
interface OpenApi {
  openapi: string;
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: Schema }> }; responses: Schema }>
  >;
}

let services: PrivateServices;
let stack: Stack;
const documents: Record<string, OpenApi> = {};

beforeAll(async () => {
  services = await startPrivateServices();
  stack = await prepareStack(services);
  await Promise.all(WITH_API.map((name) => stack.start(name)));
  for (const name of WITH_API)
    documents[name] = (await (await fetch(`${stack.urlOf(name)}/openapi.json`)).json()) as OpenApi;
});

afterAll(async () => {
  await stack?.stop();
  await services?.destroy();
});

/** Every object refuses unknown fields, and every string and list has an end. */
function unboundedParts(schema: Schema, path: string): string[] {
  const found: string[] = [];
  if (schema["type"] === "object" && schema["properties"] && schema["additionalProperties"] !== false)
    found.push(`${path}: open object`);
  const isBoundedString = schema["maxLength"] ?? schema["enum"] ?? schema["const"] ?? schema["format"];
  if (schema["type"] === "string" && isBoundedString === undefined) found.push(`${path}: endless string`);
  if (schema["type"] === "array" && schema["maxItems"] === undefined) found.push(`${path}: endless list`);
  for (const [key, value] of Object.entries(schema)) {
    if (value && typeof value === "object") found.push(...unboundedParts(value as Schema, `${path}.${key}`));
  }
  return found;
}

describe.each(WITH_API)("the description of %s", (name) => {
  it("is OpenAPI 3.1", () => {
    expect(documents[name]?.openapi).toBe("3.1.0");
  });

  it("bounds everything a caller can send", () => {
    for (const [path, methods] of Object.entries(documents[name]?.paths ?? {})) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        const schema = requestBody?.content["application/json"]?.schema ?? {};
        expect(unboundedParts(schema, `${method} ${path}`)).toEqual([]);
      }
    }
  });
});

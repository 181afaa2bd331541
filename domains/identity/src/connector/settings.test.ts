import { ConfigError, readConfig } from "@svc/platform/config";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { connectorSettings, readConnectorSettings, refuseHalfSetConnector } from "./settings.ts";

const schema = z.object(connectorSettings).superRefine(refuseHalfSetConnector, { when: () => true });
const read = (env: Record<string, string>) => readConnectorSettings(readConfig(schema, env));

function problemsOf(env: Record<string, string>): string {
  try {
    read(env);
    return "none";
  } catch (error) {
    if (error instanceof ConfigError) return JSON.stringify(error.problems);
    throw error;
  }
}

describe("the connector's settings", () => {
  it("are all that is off without them", () => {
    expect(read({})).toBeUndefined();
  });

  it("are kept in one form", () => {
    const env = {
      CONNECTOR_ISSUER: "https://auth.example.com/",
      MCP_RESOURCE_URL: "https://MCP.example.com/platform/",
    };
    expect(read(env)).toEqual({
      issuer: "https://auth.example.com",
      resource: "https://mcp.example.com/platform",
      clientLimits: { inAll: 100, perOrigin: 5 },
    });
  });

  it("may use http on this machine", () => {
    const env = { CONNECTOR_ISSUER: "http://127.0.0.1:8080", MCP_RESOURCE_URL: "http://localhost:8081/platform" };
    expect(read(env)).toMatchObject({ issuer: "http://127.0.0.1:8080", resource: "http://localhost:8081/platform" });
  });

  it.each([
    ["CONNECTOR_ISSUER", "http://auth.example.com"],
    ["CONNECTOR_ISSUER", "https://auth.example.com/path"],
    ["CONNECTOR_ISSUER", "https://user@auth.example.com"],
    ["CONNECTOR_ISSUER", "auth.example.com"],
    ["MCP_RESOURCE_URL", "http://mcp.example.com/platform"],
    ["MCP_RESOURCE_URL", "https://mcp.example.com/platform?x=1"],
    ["CONNECTOR_CLIENTS", "0"],
    ["CONNECTOR_CLIENTS_PER_ORIGIN", "many"],
  ])("refuse %s=%s, by name", (name, value) => {
    const good = { CONNECTOR_ISSUER: "https://auth.example.com", MCP_RESOURCE_URL: "https://mcp.example.com/platform" };
    expect(problemsOf({ ...good, [name]: value })).toContain(name);
  });

  it.each([
    [{ CONNECTOR_ISSUER: "https://auth.example.com" }, "MCP_RESOURCE_URL"],
    [{ MCP_RESOURCE_URL: "https://mcp.example.com/platform" }, "CONNECTOR_ISSUER"],
  ])("refuse half of them: %o", (env, missing) => expect(problemsOf(env)).toContain(missing));
});

import { ConfigError, readConfig } from "@svc/platform/config";
import { describe, expect, it } from "vitest";
import { allowedNames, mcpServerSettings } from "./settings.ts";

const KEY = "a".repeat(64);
const GOOD = {
  API_GATEWAY_URL: "http://api-gateway:8080",
  AUTH_SERVICE_URL: "http://auth-service:8080",
  MCP_RESOURCE_URL: "https://mcp.example.com/platform",
  CONNECTOR_ISSUER: "https://auth.example.com",
  JWT_SECRET: KEY,
  ACTOR_ASSERTION_SECRET: "b".repeat(64),
};
const read = (changes: Record<string, string> = {}) => readConfig(mcpServerSettings, { ...GOOD, ...changes });
const problemsOf = (changes: Record<string, string>): string => {
  try {
    read(changes);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return JSON.stringify(error);
  }
};

describe("the settings", () => {
  it("are good with the addresses and both secrets, and without what agents need", () => {
    expect(read()).toMatchObject(GOOD);
    expect(read({ CONNECTOR_ISSUER: "", JWT_SECRET: "" }).CONNECTOR_ISSUER).toBeUndefined();
  });

  it("take the issuer as it names itself, with or without a slash", () => {
    expect(read({ CONNECTOR_ISSUER: "https://auth.example.com/" }).CONNECTOR_ISSUER).toBe("https://auth.example.com");
    expect(problemsOf({ CONNECTOR_ISSUER: "https://auth.example.com/oauth" })).toContain("CONNECTOR_ISSUER");
  });

  it.each([
    "https://mcp.example.com/platform/",
    "https://mcp.example.com",
    "https://mcp.example.com/platform?x=1",
    "https://mcp.example.com/platform#x",
    "https://MCP.example.com/platform",
    "https://user@mcp.example.com/platform",
    "https://mcp.example.com:443/platform",
    "http://mcp.example.com/platform",
    "platform",
  ])("refuse %s as the address that tokens are made out to", (url) => {
    expect(problemsOf({ MCP_RESOURCE_URL: url })).toContain("MCP_RESOURCE_URL");
  });

  it("let it be plain http on this machine", () => {
    expect(read({ MCP_RESOURCE_URL: "http://127.0.0.1:8080/platform" })).toBeDefined();
  });

  it("need issuer and secret together, and two different secrets", () => {
    expect(problemsOf({ JWT_SECRET: "" })).toContain("JWT_SECRET");
    expect(problemsOf({ CONNECTOR_ISSUER: "" })).toContain("CONNECTOR_ISSUER");
    expect(problemsOf({ ACTOR_ASSERTION_SECRET: KEY })).toContain("must be another than JWT_SECRET");
  });

  it("name all that is wrong at once", () => {
    const problems = problemsOf({ API_GATEWAY_URL: "ftp://x", JWT_SECRET: "", PORT: "many" });
    for (const setting of ["API_GATEWAY_URL", "JWT_SECRET", "PORT"]) expect(problems).toContain(setting);
  });

  it("take host names, not addresses, for those who may call", () => {
    expect(problemsOf({ MCP_ALLOWED_HOSTS: "https://x.example" })).toContain("MCP_ALLOWED_HOSTS");
    const { MCP_ALLOWED_HOSTS } = read({ MCP_ALLOWED_HOSTS: "mcp-server, [::2]" });
    expect(allowedNames(GOOD.MCP_RESOURCE_URL, MCP_ALLOWED_HOSTS)).toEqual([
      "localhost",
      "127.0.0.1",
      "[::1]",
      "mcp.example.com",
      "mcp-server",
      "[::2]",
    ]);
  });
});

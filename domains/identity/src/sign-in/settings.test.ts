import { ConfigError, readConfig } from "@svc/platform/config";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readSignInSettings, refuseHalfSetProviders, type SignInSettings, signInSettings } from "./settings.ts";

const schema = z.object(signInSettings).superRefine(refuseHalfSetProviders, { when: () => true });
const base = { REDIRECT_BASE_URL: "https://app.example.com" };
const google = { GOOGLE_CLIENT_ID: "g-id", GOOGLE_CLIENT_SECRET: "g-secret" };
const microsoft = { MICROSOFT_CLIENT_ID: "m-id", MICROSOFT_CLIENT_SECRET: "m-secret", MICROSOFT_TENANT_ID: "common" };
const read = (env: Record<string, string>): SignInSettings =>
  readSignInSettings(readConfig(schema, { ...base, ...env }));

function problemsOf(env: Record<string, string>): string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ setting }) => setting);
  }
}

describe("the settings of signing in", () => {
  it("turn on the providers that have an id and a secret: none, either or both", () => {
    const on = (env: Record<string, string>): boolean[] => {
      const settings = read(env);
      return [settings.google !== undefined, settings.microsoft !== undefined];
    };
    expect([on({}), on(google), on(microsoft), on({ ...google, ...microsoft })]).toEqual([
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ]);
  });

  it("know the issuers, which can be others", () => {
    expect(read({ ...google, ...microsoft })).toMatchObject({
      google: { issuer: new URL("https://accounts.google.com") },
      microsoft: { issuer: new URL("https://login.microsoftonline.com/common/v2.0"), tenantId: "common" },
    });
    const issuer = "http://127.0.0.1:5001";
    expect(read({ ...google, GOOGLE_ISSUER: issuer }).google?.issuer).toEqual(new URL(issuer));
    expect(read({ ...microsoft, MICROSOFT_ISSUER: issuer }).microsoft?.issuer).toEqual(new URL(issuer));
  });

  it("allow redirects to the base and to the origins on the list", () => {
    const { baseUrl, allowedOrigins } = read({
      ALLOWED_REDIRECT_BASE_URLS: "https://console.example.com/a/b, http://localhost:3000",
    });
    expect(baseUrl).toBe("https://app.example.com");
    expect([...allowedOrigins]).toEqual([
      "https://app.example.com",
      "https://console.example.com",
      "http://localhost:3000",
    ]);
  });

  it.each([
    ["an id alone", { GOOGLE_CLIENT_ID: "x" }, ["GOOGLE_CLIENT_SECRET"]],
    ["a secret alone", { GOOGLE_CLIENT_SECRET: "x" }, ["GOOGLE_CLIENT_ID"]],
    ["no tenant", { MICROSOFT_CLIENT_ID: "x", MICROSOFT_CLIENT_SECRET: "y" }, ["MICROSOFT_TENANT_ID"]],
    ["an id and no more", { MICROSOFT_CLIENT_ID: "x" }, ["MICROSOFT_CLIENT_SECRET", "MICROSOFT_TENANT_ID"]],
    ["a tenant that is none", { ...microsoft, MICROSOFT_TENANT_ID: "acme" }, ["MICROSOFT_TENANT_ID"]],
    ["an issuer over http", { ...google, GOOGLE_ISSUER: "http://accounts.example" }, ["GOOGLE_ISSUER"]],
    ["a base over http", { REDIRECT_BASE_URL: "http://app.example.com" }, ["REDIRECT_BASE_URL"]],
    ["a base with a path", { REDIRECT_BASE_URL: "https://app.example.com/svc" }, ["REDIRECT_BASE_URL"]],
    ["a base with a name in it", { REDIRECT_BASE_URL: "https://u@app.example.com" }, ["REDIRECT_BASE_URL"]],
    ["a base that is none", { REDIRECT_BASE_URL: "app.example.com" }, ["REDIRECT_BASE_URL"]],
    ["a bad one on the list", { ALLOWED_REDIRECT_BASE_URLS: "https://a.example,b" }, ["ALLOWED_REDIRECT_BASE_URLS.1"]],
    ["two mistakes", { GOOGLE_CLIENT_ID: "x", REDIRECT_BASE_URL: "" }, ["REDIRECT_BASE_URL", "GOOGLE_CLIENT_SECRET"]],
  ])("name what is wrong with %s", (_what, env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });
});

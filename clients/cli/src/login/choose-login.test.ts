import { describe, expect, it } from "vitest";
import type { CliError } from "../cli-error.ts";
import type { Environment, GlobalOptions } from "../options.ts";
import { chooseLogin } from "./choose-login.ts";
import type { Logins } from "./login-file.ts";

const HERE = "https://here.example.com";
const THERE = "https://there.example.com";
const saved = (api_url: string, api_key: string) => {
  return { api_url, api_key, org: { id: `org_${api_key}`, slug: "o", name: "O" }, user: null };
};
const LOGINS: Logins = {
  version: 1,
  current: "here",
  contexts: { here: saved(HERE, "key_here"), there: saved(THERE, "key_there"), also: saved(THERE, "key_also") },
};
const NONE: Logins = { version: 1, current: null, contexts: {} };

const choose = (options: Partial<GlobalOptions>, env: Environment = {}, logins = LOGINS) =>
  chooseLogin({ color: true, ...options }, env, () => logins);
const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return (error as CliError).code;
  }
};

describe("the login that is used", () => {
  it("is the current context", () => {
    expect(choose({})).toEqual({ apiUrl: HERE, apiKey: "key_here", keptIn: "file", context: "here" });
  });

  it.each([
    [{ context: "there" }, {}, "key_there"],
    [{}, { SVC_CONTEXT: "there" }, "key_there"],
    [{ context: "here" }, { SVC_CONTEXT: "there" }, "key_here"],
    [{}, { SVC_CONTEXT: "" }, "key_here"],
  ])("is the context of %j in an environment of %j", (options, env, apiKey) => {
    expect(choose(options, env)).toMatchObject({ apiKey, keptIn: "file" });
  });

  it("takes a key of the command line before that of the environment, and that before a saved one", () => {
    const env = { SVC_API_KEY: "key_env" };
    expect(choose({ apiKey: "key_flag" }, env)).toMatchObject({ apiKey: "key_flag", keptIn: "command_line" });
    expect(choose({}, env)).toEqual({ apiUrl: HERE, apiKey: "key_env", keptIn: "environment", context: "here" });
  });

  it("is the context that was named on the command line, whatever the environment says", () => {
    const env = { SVC_API_KEY: "key_env", SVC_API_URL: "https://env.example.com" };
    expect(choose({ context: "there" }, env)).toMatchObject({ apiUrl: THERE, apiKey: "key_there" });
  });

  it("needs nothing saved where address and key are given, and reads nothing", () => {
    const never = () => {
      throw new Error("read");
    };
    const env = { SVC_API_URL: `${HERE}/`, SVC_API_KEY: " key_env\n" };
    expect(chooseLogin({ color: true }, env, never)).toEqual({
      apiUrl: HERE,
      apiKey: "key_env",
      keptIn: "environment",
      context: undefined,
    });
  });

  it("finds the saved key of an address", () => {
    expect(choose({ apiUrl: HERE })).toMatchObject({ apiKey: "key_here", context: "here" });
    expect(choose({ apiUrl: THERE }, {}, { ...LOGINS, current: "also" })).toMatchObject({ apiKey: "key_also" });
    expect(choose({ apiUrl: THERE, context: "there" })).toMatchObject({ apiKey: "key_there" });
  });

  it.each([
    [{ apiUrl: "https://evil.example.com" }, {}],
    [{ apiUrl: "https://evil.example.com", context: "here" }, {}],
    [{ apiUrl: "http://here.example.com" }, {}],
    [{ apiUrl: `${HERE}:8443` }, {}],
    [{}, { SVC_API_URL: "https://evil.example.com" }],
    [{}, { SVC_API_URL: "https://evil.example.com", SVC_CONTEXT: "here" }],
  ])("never sends a saved key to an address it was not saved for: %j, %j", (options, env) => {
    expect(codeOf(() => choose(options, env))).toBe("UNAUTHENTICATED");
  });

  it("asks which one where several would do", () => {
    expect(() => choose({ apiUrl: THERE })).toThrow(/There are 2 logins .* --context: there, also/);
  });

  it.each([
    [{}, {}, NONE, "UNAUTHENTICATED", "svc login --api-url <url>"],
    [{}, {}, { ...LOGINS, current: null }, "UNAUTHENTICATED", "svc context use <name>: here, there, also"],
    [{}, { SVC_API_KEY: "key" }, NONE, "UNAUTHENTICATED", "SVC_API_URL"],
    [{ context: "nope" }, {}, LOGINS, "NOT_FOUND", "There are: here, there, also"],
    [{ context: "constructor" }, {}, LOGINS, "NOT_FOUND", "no context"],
    [{ apiKey: "-" }, {}, LOGINS, "INVALID_REQUEST", "svc login alone"],
    [{ apiKey: "two words" }, {}, LOGINS, "INVALID_REQUEST", "one line"],
    [{ apiUrl: "here.example.com" }, {}, LOGINS, "INVALID_REQUEST", "https://app.example.com"],
  ])("says what to do: %j, %j", (options, env, logins, code, advice) => {
    const act = () => choose(options, env, logins);
    expect(codeOf(act)).toBe(code);
    expect(act).toThrow(advice);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { databaseUrlSetting, keySetting, serviceSettings } from "../service/index.ts";
import { ConfigError, readConfig, reportConfigProblems } from "./read-config.ts";
import { listSetting, portSetting, secret, switchSetting, urlSetting } from "./settings.ts";

const directory = mkdtempSync(join(tmpdir(), "svc-config-"));
afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(text: string): string {
  const path = join(directory, `secret-${Math.random()}`);
  writeFileSync(path, text);
  return path;
}

function problemsOf(schema: z.ZodObject, env: Record<string, string>): ConfigError {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the settings were taken");
}

const settings = z.object({
  PORT: portSetting(8080),
  DATABASE_URL: databaseUrlSetting,
  KEY: keySetting,
  PASSWORD: secret(z.string("is missing").min(8, "is too short")),
});

describe("settings of a service", () => {
  it("are all complained about at once, each by its name", () => {
    const { problems } = problemsOf(settings, { PORT: "99999", DATABASE_URL: "mysql://host/db" });
    expect(problems).toEqual([
      { setting: "PORT", message: "must be a port number from 0 to 65535" },
      { setting: "DATABASE_URL", message: "must be a URL like postgres://user:password@host:5432/database" },
      { setting: "KEY", message: "is missing; make one with: openssl rand -hex 32" },
      { setting: "PASSWORD", message: "is missing" },
    ]);
  });

  it("never show the value of a secret, neither in the error nor in the report", () => {
    const values = {
      PORT: "eighty",
      DATABASE_URL: "postgres//me:hunter2@host/db",
      KEY: "deadbeef-not-a-key",
      PASSWORD: "hunter3",
      PASSWORD_FILE: "/run/secrets/hunter4",
    };
    const error = problemsOf(settings, values);
    const shown = [error.message, error.stack, JSON.stringify(error), reportConfigProblems("svc", error)].join("\n");
    for (const value of Object.values(values)) expect(shown).not.toContain(value);
    expect(shown).not.toContain("hunter");
    expect(error.problems).toHaveLength(4);
  });

  it("are reported one on each line, with where to read on", () => {
    const error = new ConfigError([
      { setting: "KEY", message: "is missing" },
      { setting: "DATABASE_URL", message: "must be a URL" },
    ]);
    expect(reportConfigProblems("worker", error)).toBe(
      [
        "worker cannot start: 2 settings are wrong.",
        "  KEY           is missing",
        "  DATABASE_URL  must be a URL",
        "Every setting is described in docs/configuration.md.",
        "",
      ].join("\n"),
    );
    expect(reportConfigProblems("worker", new ConfigError(error.problems.slice(1)))).toContain("1 setting is wrong.");
  });

  it("count as not set when the variable is empty", () => {
    const schema = z.object({
      PORT: portSetting(8080),
      NAME: z.string().optional(),
      ...settings.pick({ KEY: true }).shape,
    });
    expect(problemsOf(schema, { PORT: "", NAME: "", KEY: "" }).problems).toEqual([
      { setting: "KEY", message: "is missing; make one with: openssl rand -hex 32" },
    ]);
    expect(readConfig(schema.omit({ KEY: true }), { PORT: "", NAME: "" })).toEqual({ PORT: 8080, NAME: undefined });
  });

  it("have defaults that let a service start with none of the common ones set", () => {
    expect(readConfig(serviceSettings, {})).toMatchObject({ PORT: 8080, OPS_PORT: 9090, LOG_LEVEL: "info" });
  });
});

describe("a secret in a file", () => {
  const schema = z.object({ PASSWORD: secret(z.string("is missing")) });

  it.each([
    ["a final newline", "p4ss word\n", "p4ss word"],
    ["a final Windows newline", "p4ss word\r\n", "p4ss word"],
    ["no newline", "p4ss word", "p4ss word"],
    ["newlines within", "one\ntwo\n\n", "one\ntwo\n"],
  ])("is read without its final newline: %s", (_what, text, value) => {
    expect(readConfig(schema, { PASSWORD_FILE: fileWith(text) })).toEqual({ PASSWORD: value });
  });

  it("is read for an optional setting and for one with a default", () => {
    const wrapped = z.object({
      OPTIONAL: secret(z.string()).optional(),
      DEFAULTED: secret(z.string()).default("none"),
    });
    const files = { OPTIONAL_FILE: fileWith("one\n"), DEFAULTED_FILE: fileWith("two\n") };
    expect(readConfig(wrapped, files)).toEqual({ OPTIONAL: "one", DEFAULTED: "two" });
    expect(readConfig(wrapped, {})).toEqual({ OPTIONAL: undefined, DEFAULTED: "none" });
  });

  it("is complained about, and not called missing, when the file does not open", () => {
    expect(problemsOf(schema, { PASSWORD_FILE: join(directory, "not-there") }).problems).toEqual([
      { setting: "PASSWORD", message: "cannot be read: PASSWORD_FILE names a file that does not open" },
    ]);
  });

  it("is complained about even where the setting is optional", () => {
    const optional = z.object({ PASSWORD: secret(z.string()).optional() });
    expect(problemsOf(optional, { PASSWORD_FILE: directory }).problems).toHaveLength(1);
  });

  it("is refused when the variable is set as well", () => {
    expect(problemsOf(schema, { PASSWORD: "a", PASSWORD_FILE: fileWith("b") }).problems).toEqual([
      { setting: "PASSWORD", message: "is set twice: keep either PASSWORD or PASSWORD_FILE" },
    ]);
  });

  it("is taken when the variable is there but empty", () => {
    expect(readConfig(schema, { PASSWORD: "", PASSWORD_FILE: fileWith("b") })).toEqual({ PASSWORD: "b" });
  });

  it("is not looked for where the setting is no secret", () => {
    const open = z.object({ NAME: z.string("is missing") });
    expect(problemsOf(open, { NAME_FILE: fileWith("x") }).problems).toEqual([
      { setting: "NAME", message: "is missing" },
    ]);
  });
});

describe("kinds of settings", () => {
  it.each([
    ["0", 0],
    ["65535", 65_535],
    ["-1", undefined],
    ["65536", undefined],
    ["80.5", undefined],
    ["http", undefined],
  ])("a port %s is read as %s", (text, port) => {
    expect(portSetting(1).safeParse(text).data).toBe(port);
  });

  it.each([
    ["https://auth.example.com", true],
    ["http://localhost:1", true],
    ["ftp://example.com", false],
    ["example.com", false],
    ["", false],
  ])("a web address %s is taken: %s", (text, taken) => {
    expect(urlSetting(["http:", "https:"], "https://example.com").safeParse(text).success).toBe(taken);
  });

  it("a list is split at commas, without blanks and empty parts", () => {
    const list = listSetting(z.string().max(5));
    expect(list.parse(" a, b ,,c,")).toEqual(["a", "b", "c"]);
    expect(list.safeParse("a,toolong").success).toBe(false);
  });

  it("a switch is true or false and nothing else", () => {
    expect(switchSetting(true).parse(undefined)).toBe(true);
    expect(switchSetting(true).parse("false")).toBe(false);
    expect(switchSetting(false).parse("true")).toBe(true);
    expect(switchSetting(false).safeParse("1").success).toBe(false);
  });
});

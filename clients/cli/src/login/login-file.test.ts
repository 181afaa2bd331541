import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeLogins } from "./change-logins.ts";
import { findLoosePermissions, loginFilePath, readLogins, type SavedLogin } from "./login-file.ts";

const LOGIN: SavedLogin = {
  api_url: "https://app.example.com",
  api_key: "key",
  org: { id: "org_1", slug: "acme", name: "Acme" },
  user: null,
};

let home: string;
let env: { SVC_CONFIG_DIR: string };
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "svc-logins-"));
  env = { SVC_CONFIG_DIR: join(home, "a", "svc") };
});
afterEach(() => rmSync(home, { recursive: true }));

const add = (name: string) =>
  changeLogins(env, (logins) => {
    logins.contexts[name] = LOGIN;
    logins.current = name;
  });
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("the file with the logins", () => {
  it("is where the environment says", () => {
    expect(loginFilePath({ SVC_CONFIG_DIR: "/x" })).toBe("/x/config.json");
    expect(loginFilePath({ XDG_CONFIG_HOME: "/y", HOME: "/h" })).toBe("/y/svc/config.json");
    expect(loginFilePath({ HOME: "/h", SVC_CONFIG_DIR: "" })).toBe("/h/.config/svc/config.json");
    expect(loginFilePath({})).toMatch(/^\/.*\/\.config\/svc\/config\.json$/);
  });

  it("is empty where there is none, and none is made by reading", () => {
    expect(readLogins(env)).toEqual({ version: 1, current: null, contexts: {} });
    expect(existsSync(env.SVC_CONFIG_DIR)).toBe(false);
  });

  it("can be read by its owner alone, whatever the umask is", async () => {
    const before = process.umask(0);
    try {
      await add("one");
      process.umask(0o777);
      await add("two");
    } finally {
      process.umask(before);
    }
    expect(readLogins(env)).toEqual({ version: 1, current: "two", contexts: { one: LOGIN, two: LOGIN } });
    expect(modeOf(loginFilePath(env))).toBe("600");
    expect(modeOf(env.SVC_CONFIG_DIR)).toBe("700");
    expect(findLoosePermissions(loginFilePath(env))).toBeUndefined();
  });

  it("becomes private again by the next change", async () => {
    await add("one");
    chmodSync(loginFilePath(env), 0o644);
    expect(findLoosePermissions(loginFilePath(env))).toBe("0644");
    await add("two");
    expect(findLoosePermissions(loginFilePath(env))).toBeUndefined();
  });

  it("loses no login when many are saved at once, and leaves nothing beside it", async () => {
    const names = Array.from({ length: 20 }, (_, n) => `context-${n}`);
    await Promise.all(names.map(add));
    expect(Object.keys(readLogins(env).contexts).toSorted()).toEqual(names.toSorted());
    expect(readdirSync(env.SVC_CONFIG_DIR)).toEqual(["config.json"]);
  });

  it("stays as it was when a change fails", async () => {
    await add("one");
    const failing = changeLogins(env, () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(readLogins(env).current).toBe("one");
    expect(readdirSync(env.SVC_CONFIG_DIR)).toEqual(["config.json"]);
  });

  it("is not held up for long by a lock that somebody left behind", async () => {
    await add("one");
    const lock = `${loginFilePath(env)}.lock`;
    writeFileSync(lock, "");
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    await add("two");
    expect(readLogins(env).current).toBe("two");
  });

  it.each(["", "{", "[]", "null", '{"version":2}', '{"version":1,"current":null,"contexts":{"a":{"api_url":"x"}}}'])(
    "is not guessed at where it is broken: %j",
    async (text) => {
      await add("one");
      writeFileSync(loginFilePath(env), text);
      expect(() => readLogins(env)).toThrow(`${dirname(loginFilePath(env))}/config.json is not a file of this version`);
      await expect(add("two")).rejects.toThrow("Move it away");
    },
  );
});

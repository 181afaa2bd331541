import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { InstalledSvc } from "../testing/run-svc.ts";
import { initialState, KEY, sendProblem, type StandInService } from "../testing/stand-in-service.ts";
import { testWithSvc } from "../testing/test-with-svc.ts";

const OTHER_ORG = { id: "org_01h455vb4pex5vsknk084sn02r", slug: "other", name: "Other" } as const;

let service: StandInService;
let svc: InstalledSvc;
let host: string;
let file: string;

testWithSvc((world) => {
  ({ service, svc } = world);
  host = new URL(service.url).host;
  file = join(svc.configDir, "config.json");
});

const logIn = (...args: string[]) => svc.run(["login", "--api-url", service.url, ...args], { stdin: `${KEY}\n` });
const saved = () => JSON.parse(readFileSync(file, "utf8"));

describe("svc login", () => {
  it("checks the key, and saves it under the name of the instance", async () => {
    expect(await logIn()).toEqual({
      exit: 0,
      stdout: "",
      stderr: `Logged in to Acme as ada@example.com (developer). Context: ${host}\nThe key is kept in ${file}, readable by you alone.\n`,
    });
    const { org } = service.caller;
    expect(saved()).toEqual({
      version: 1,
      current: host,
      contexts: { [host]: { api_url: service.url, api_key: KEY, org, user: "ada@example.com" } },
    });
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(svc.configDir).mode & 0o777).toString(8)).toBe("700");
    expect(service.received).toMatchObject([{ request: "GET /api/me", userAgent: "svc/0.1.0" }]);
  });

  it.each([
    ["the command line", ["--api-key", KEY], {}, ""],
    ["the environment", [], { SVC_API_KEY: KEY }, "svc_wrong"],
    ["standard input", [], {}, `  ${KEY}\r\n`],
    ["standard input, for a dash", ["--api-key", "-"], { SVC_API_KEY: "svc_wrong" }, KEY],
    ["the command line before the environment", ["--api-key", KEY], { SVC_API_KEY: "svc_wrong" }, "svc_wrong"],
  ])("takes the key from %s", async (_where, args, env, stdin) => {
    const { exit, stdout, stderr } = await svc.run(["login", "--api-url", service.url, ...args], { env, stdin });
    expect({ exit, key: saved().contexts[host].api_key }).toEqual({ exit: 0, key: KEY });
    expect(`${stdout}${stderr}`).not.toContain(KEY);
  });

  it.each([
    ["a refused key", ["--api-key", `${KEY}x`], "", 3, "Invalid or expired API token"],
    ["no key", [], "", 5, "The API key is empty"],
    ["a key of two lines", [], "svc_a\nsvc_b", 5, "Copy it again as one line"],
    ["a name that cannot be", ["--context", "a b"], KEY, 5, "The name of a context"],
  ])("saves nothing for %s", async (_what, args, stdin, exit, message) => {
    const outcome = await svc.run(["login", "--api-url", service.url, ...args], { stdin });
    expect(outcome).toMatchObject({ exit, stdout: "", stderr: expect.stringContaining(message) });
    expect(outcome.stderr).not.toContain(KEY);
    expect(existsSync(file)).toBe(false);
  });

  it("needs an address", async () => {
    expect(await svc.run(["login"], { stdin: KEY })).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining("--api-url"),
    });
    expect(await svc.run(["login"], { stdin: KEY, env: { SVC_API_URL: service.url } })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining("Note: SVC_API_URL in your environment goes before this login."),
    });
  });

  it("never overwrites another login", async () => {
    await logIn();
    service.caller = { ...service.caller, org: OTHER_ORG };
    await logIn();
    await logIn("--context", "third");
    expect(Object.keys(saved().contexts)).toEqual([host, `${host}-2`, "third"]);
    expect(saved().current).toBe("third");
    service.caller = initialState().caller;
    expect(await logIn("--context", "third")).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining(`The context "third" is the login to Other at ${service.url}`),
    });
    expect(saved().contexts.third.org).toEqual(OTHER_ORG);
    await logIn("--context", "third", "--force");
    expect(saved().contexts.third.org).toEqual(service.caller.org);
  });

  it("updates the login that it is, under whatever name", async () => {
    await logIn("--context", "work");
    service.caller = { ...service.caller, user: { ...service.caller.user!, email: "new@example.com" } };
    await logIn();
    expect(Object.keys(saved().contexts)).toEqual(["work"]);
    expect(saved().contexts.work.user).toBe("new@example.com");
  });

  it("keeps every one of several that happen at once", async () => {
    const names = ["a", "b", "c", "d"];
    const outcomes = await Promise.all(names.map((name) => logIn("--context", name)));
    expect(outcomes.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    expect(Object.keys(saved().contexts).toSorted()).toEqual(names);
  });

  it("tells programs what it did, without the key", async () => {
    const { stdout } = await logIn("-o", "json");
    const { org, role } = service.caller;
    expect(JSON.parse(stdout)).toEqual({ context: host, api_url: service.url, org, user: "ada@example.com", role });
  });
});

describe("svc context and svc logout", () => {
  it("lists, switches and forgets", async () => {
    await logIn();
    await logIn("--context", "work");
    const address = service.url;
    expect((await svc.run(["context", "list"])).stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["CURRENT", "NAME", "ADDRESS", "ORGANIZATION", "USER"],
      ["", host, address, "Acme", "ada@example.com"],
      ["*", "work", address, "Acme", "ada@example.com"],
      [""],
    ]);
    expect(await svc.run(["context", "use", host])).toMatchObject({ exit: 0, stdout: "" });
    expect(saved().current).toBe(host);
    expect((await svc.run(["context", "list", "-q"])).stdout).toBe(`${host}\nwork\n`);
    expect(await svc.run(["context", "remove", "work"])).toMatchObject({ exit: 0 });
    expect(Object.keys(saved().contexts)).toEqual([host]);
  });

  it("shows no key to programs either", async () => {
    await logIn();
    for (const format of ["json", "yaml", "table"]) {
      const { exit, stdout } = await svc.run(["context", "list", "-o", format]);
      expect(exit).toBe(0);
      expect(stdout).toContain("Acme");
      expect(stdout).not.toContain(KEY);
    }
  });

  it.each([["use"], ["remove"]])("%s answers 4 for a name that is not there", async (act) => {
    await logIn();
    expect(await svc.run(["context", act, "nope"])).toMatchObject({
      exit: 4,
      stderr: `error: There is no context "nope". There are: ${host}\n`,
    });
    expect(await svc.run(["context", act, "constructor"])).toMatchObject({ exit: 4 });
  });

  it("logs out of the current context, or of another one", async () => {
    await logIn();
    await logIn("--context", "work");
    await logIn("--context", "third");
    await svc.run(["logout"], { env: { SVC_CONTEXT: "work" } });
    await svc.run(["logout", "--context", host]);
    expect(Object.keys(saved().contexts)).toEqual(["third"]);
    const { exit, stderr } = await svc.run(["logout"]);
    expect(exit).toBe(0);
    expect(stderr).toContain("works until it is revoked");
    expect(saved()).toEqual({ version: 1, current: null, contexts: {} });
    expect(readFileSync(file, "utf8")).not.toContain(KEY);
    expect(await svc.run(["logout"])).toMatchObject({ exit: 3 });
    expect(await svc.run(["logout", "--context", "nope"])).toMatchObject({ exit: 4 });
  });
});

describe("svc status", () => {
  const status = async (env: Record<string, string> = {}) => {
    const { exit, stdout } = await svc.run(["status", "--json"], { env });
    return { exit, ...JSON.parse(stdout) };
  };

  it("answers 3 where nobody is logged in", async () => {
    const { exit, stdout } = await svc.run(["status", "--json"]);
    expect({ exit, document: JSON.parse(stdout) }).toEqual({ exit: 3, document: { logged_in: false } });
    expect(await svc.run(["status"])).toEqual({
      exit: 3,
      stdout: "Logged in  no\n",
      stderr: "Not logged in. Run: svc login --api-url <url>\n",
    });
  });

  it("says who, where, and where the key is kept", async () => {
    service.caller.expires_at = "2027-01-01T00:00:00.000Z";
    await logIn();
    expect((await svc.run(["status"])).stdout).toBe(`Logged in     ada@example.com
Organization  Acme (acme)
Role          developer
Context       ${host}
Address       ${service.url}
Key           in ${file}
Expires       2027-01-01 00:00 UTC
`);
    const { user, org, role, kind, expires_at } = service.caller;
    const key = { kept_in: "file", path: file };
    expect(await status()).toEqual({
      exit: 0,
      logged_in: true,
      context: host,
      api_url: service.url,
      key,
      user,
      org,
      role,
      kind,
      expires_at,
    });
    expect(await status({ SVC_API_KEY: KEY })).toMatchObject({ key: { kept_in: "environment" }, context: host });
  });

  it("says that a key is refused", async () => {
    await logIn();
    expect(await status({ SVC_API_KEY: "svc_revoked" })).toMatchObject({
      exit: 3,
      logged_in: false,
      problem: "Invalid or expired API token",
    });
  });

  it("does not know while the service cannot be asked", async () => {
    await logIn();
    service.instead = (response) => sendProblem(response, "UNAVAILABLE", "Try again shortly.");
    expect(await status()).toMatchObject({ exit: 1, logged_in: null, problem: "Try again shortly." });
    const env = { SVC_API_URL: "http://127.0.0.1:1", SVC_API_KEY: KEY };
    expect(await status(env)).toMatchObject({
      exit: 1,
      logged_in: null,
      problem: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("warns of keys that others can read, and works", async () => {
    await logIn();
    chmodSync(file, 0o644);
    const { exit, stderr } = await svc.run(["status"]);
    expect(exit).toBe(0);
    expect(stderr).toBe(
      `warning: others on this machine can read your keys (${file} has mode 0644). Run: chmod 600 ${file}\n`,
    );
  });
});

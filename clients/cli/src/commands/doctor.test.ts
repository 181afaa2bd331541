import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkMachine } from "../doctor/check-machine.ts";
import type { InstalledSvc } from "../testing/run-svc.ts";
import { KEY, type StandInService } from "../testing/stand-in-service.ts";
import { testWithSvc } from "../testing/test-with-svc.ts";

let service: StandInService;
let svc: InstalledSvc;

testWithSvc((world) => {
  ({ service, svc } = world);
});

const examine = async (given: Record<string, string> = {}, ...args: string[]) => {
  const env = { SVC_API_URL: service.url, SVC_API_KEY: KEY, ...given };
  const { exit, stdout } = await svc.run(["doctor", "--json", ...args], { env });
  const { healthy, checks } = JSON.parse(stdout);
  const levels = Object.fromEntries(checks.map(({ check, level }: { check: string; level: string }) => [check, level]));
  const find = (name: string) => checks.find(({ check }: { check: string }) => check === name);
  return { exit, healthy, levels, find };
};

describe("svc doctor", () => {
  it("finds everything in order", async () => {
    const { exit, healthy, levels } = await examine();
    expect({ exit, healthy }).toEqual({ exit: 0, healthy: true });
    expect(new Set(Object.values(levels))).toEqual(new Set(["ok"]));
    expect(Object.keys(levels)).toEqual(["node", "login file", "proxy", "login", "name", "connection", "key", "clock"]);
  });

  it("shows it to people line by line", async () => {
    await svc.run(["login", "--api-url", service.url], { stdin: KEY });
    const { exit, stdout, stderr } = await svc.run(["doctor"]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain("\nok    key         ada@example.com, developer of Acme\n");
    expect(stdout).toContain(`\nok    login       context ${new URL(service.url).host}, ${service.url}\n`);
    expect(stdout).not.toContain(KEY);
  });

  it("fails without a login", async () => {
    const { exit, healthy, levels } = await examine({ SVC_API_URL: "", SVC_API_KEY: "" });
    expect({ exit, healthy }).toEqual({ exit: 1, healthy: false });
    expect(levels).toMatchObject({ login: "fail", name: "skip", connection: "skip", key: "skip", clock: "skip" });
  });

  it("fails with a refused key, and says what to do", async () => {
    const { exit, levels, find } = await examine({ SVC_API_KEY: "svc_wrong" });
    expect({ exit, ...levels }).toMatchObject({ exit: 1, connection: "ok", key: "fail", clock: "ok" });
    expect(find("key").advice).toBe(`Log in again: svc login --api-url ${service.url}`);
  });

  it("fails where nothing listens, and where no name is known", async () => {
    const refused = await examine({ SVC_API_URL: "http://127.0.0.1:1" });
    expect({ exit: refused.exit, ...refused.levels }).toMatchObject({
      exit: 1,
      name: "ok",
      connection: "fail",
      key: "skip",
    });
    const unknown = await examine({ SVC_API_URL: "http://nowhere.invalid" });
    expect({ exit: unknown.exit, ...unknown.levels }).toMatchObject({ exit: 1, name: "fail", connection: "skip" });
  });

  it("fails where a page answers that is not of the service", async () => {
    service.instead = (response) => response.end("<html>");
    const { exit, levels, find } = await examine();
    expect({ exit, ...levels }).toMatchObject({ exit: 1, connection: "ok", key: "fail" });
    expect(find("key").advice).toBe("Is this the address of svc?");
  });

  it("warns of a clock that is off, and of a key that ends soon", async () => {
    const { caller } = service;
    service.instead = (response) => {
      const date = new Date(Date.now() + 600_000).toUTCString();
      const expires_at = new Date(Date.now() + 86_400_000).toISOString();
      response.writeHead(200, { date }).end(JSON.stringify({ ...caller, expires_at }));
    };
    const { exit, levels, find } = await examine();
    expect({ exit, ...levels }).toMatchObject({ exit: 0, key: "warn", clock: "warn" });
    expect(find("clock").message).toMatch(/^this machine is (599|600|601) s behind the service$/);
  });

  it("warns of a file that others can read, and names the proxy", async () => {
    mkdirSync(svc.configDir, { mode: 0o700 });
    const file = join(svc.configDir, "config.json");
    writeFileSync(file, '{"version":1,"current":null,"contexts":{}}');
    chmodSync(file, 0o640);
    const { exit, levels, find } = await examine({ HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "127.0.0.1" });
    expect({ exit, ...levels }).toMatchObject({ exit: 0, "login file": "warn", proxy: "ok" });
    expect(find("login file").advice).toBe(`Run: chmod 600 ${file}`);
    expect(find("proxy").message).toContain("HTTPS_PROXY");
  });

  it("knows which Node.js is too old", () => {
    const levelOf = (version: string, env = {}) => checkMachine(env, version).map(({ level }) => level);
    expect(levelOf("22.11.0")[0]).toBe("fail");
    expect(levelOf("22.12.0")[0]).toBe("ok");
    expect(levelOf("26.0.0")[0]).toBe("ok");
    expect(levelOf("22.12.0", { https_proxy: "http://proxy.example.com" })[2]).toBe("warn");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "./program.ts";
import { type InstalledSvc, installSvc } from "./testing/run-svc.ts";

const MANIFEST = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));

/** Every command there is, such as `["datasource", "query"]`. */
function pathsOf(command: Command, path: string[] = []): string[][] {
  return [path, ...command.commands.flatMap((child) => pathsOf(child, [...path, child.name()]))];
}
const PATHS = pathsOf(createProgram(["completion"]));

let svc: InstalledSvc;
beforeAll(async () => {
  svc = await installSvc();
});
afterAll(() => svc.remove());

describe("help", () => {
  it("knows every command", () => {
    expect(PATHS.map((path) => path.join(" "))).toEqual([
      "",
      "login",
      "logout",
      "status",
      "context",
      "context list",
      "context use",
      "context remove",
      "datasource",
      "datasource list",
      "datasource query",
      "db",
      "db create",
      "db list",
      "db connect",
      "db delete",
      "db restore",
      "db rotate",
      "doctor",
      "completion",
    ]);
  });

  it.each(PATHS.map((path) => [path.join(" "), path] as const))(
    "of svc %s has an example of it",
    async (name, path) => {
      const { exit, stdout, stderr } = await svc.run([...path, "--help"]);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
      expect(stdout).toContain(`Usage: svc${name && ` ${name}`}`);
      const [, examples = ""] = stdout.split(/\nExamples?:\n/);
      expect(examples).toContain(`svc ${name}`.trim());
      expect(stdout).toContain("--timeout <seconds>");
    },
  );

  it("is the same by another name", async () => {
    expect(await svc.run(["help", "datasource", "query"])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("--top-k"),
    });
    expect((await svc.run(["help"])).stdout).toBe((await svc.run(["--help"])).stdout);
  });

  it("is on standard error where a command is missing", async () => {
    expect(await svc.run(["db"])).toMatchObject({
      exit: 5,
      stdout: "",
      stderr: expect.stringContaining("svc db create notes"),
    });
  });

  it("makes a command whether or not it is the only one that is named", () => {
    for (const path of PATHS) {
      const made = pathsOf(createProgram(["node", "svc", "-o", "json", ...path])).map((found) => found.join(" "));
      expect(made).toContain(path.join(" "));
    }
  });
});

describe("the program", () => {
  it("says its version", async () => {
    expect(await svc.run(["--version"])).toEqual({ exit: 0, stdout: `${MANIFEST.version}\n`, stderr: "" });
  });

  it("is one file that needs nothing else", () => {
    expect(MANIFEST).toMatchObject({ bin: { svc: "dist-bundle/svc.cjs" }, files: ["dist-bundle/svc.cjs"] });
    expect(MANIFEST.dependencies).toBeUndefined();
    const source = readFileSync(svc.path, "utf8");
    expect(source).toMatch(/^#!\/usr\/bin\/env node\n/);
    const required = new Set([...source.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name));
    expect([...required].filter((name) => !name?.startsWith("node:"))).toEqual([]);
  });
});

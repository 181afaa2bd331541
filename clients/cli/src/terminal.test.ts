import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { InstalledSvc } from "./testing/run-svc.ts";
import { KEY, type StandInService } from "./testing/stand-in-service.ts";
import { testWithSvc } from "./testing/test-with-svc.ts";

let service: StandInService;
let svc: InstalledSvc;
let env: Record<string, string>;

testWithSvc((world) => {
  ({ service, svc, env } = world);
});

/** Bold, as the headings of a table are. */
const COLOR = "\u001b[1m";

describe("in a terminal", () => {
  it("asks for the key and does not show it", async () => {
    const { exit, stdout } = await svc.runInTerminal(`svc login --api-url ${service.url}`, {
      type: [["API key: ", `${KEY}\n`]],
    });
    expect(exit).toBe(0);
    expect(stdout).toContain("Logged in to Acme as ada@example.com");
    expect(stdout).not.toContain(KEY);
    expect(readFileSync(join(svc.configDir, "config.json"), "utf8")).toContain(KEY);
  });

  it("can be left at the question for the key", async () => {
    const { exit } = await svc.runInTerminal(`svc login --api-url ${service.url}`, { type: [["API key: ", "\u0003"]] });
    expect(exit).toBe(130);
    expect(existsSync(svc.configDir)).toBe(false);
  });

  it("warns of a key on the command line", async () => {
    const { exit, stdout } = await svc.runInTerminal(`svc login --api-url ${service.url} --api-key ${KEY}`);
    expect(exit).toBe(0);
    expect(stdout).toContain("stays in the shell's history");
    expect(stdout).not.toContain(KEY);
  });

  it.each([
    ["y\n", 0, ["DELETE /api/wf/databases/notes"]],
    ["n\n", 1, []],
    ["\n", 1, []],
    ["\u0003", 130, []],
  ])("deletes after a yes alone: %j", async (typed, exit, requests) => {
    const outcome = await svc.runInTerminal("svc db delete notes", { env, type: [["[y/N]", typed]] });
    expect(outcome.exit).toBe(exit);
    expect(service.received.map(({ request }) => request)).toEqual(requests);
  });

  it("says what it waits for, and takes it back", async () => {
    service.instead = (response) => {
      setTimeout(() => response.end(JSON.stringify({ items: [] })), 1_500);
    };
    const { exit, stdout } = await svc.runInTerminal("svc db list", { env });
    expect(exit).toBe(0);
    expect(stdout).toContain("asking for the databases … 1 s\r\u001b[KThere is no database yet");
  });

  it("uses color, unless it is told not to", async () => {
    expect((await svc.runInTerminal("svc datasource list", { env })).stdout).toContain(COLOR);
    const plain: [string, Record<string, string>][] = [
      ["svc datasource list", { NO_COLOR: "1" }],
      ["svc datasource list", { TERM: "dumb" }],
      ["svc --no-color datasource list", {}],
      ["svc datasource list --no-color", {}],
      ["svc datasource list | cat", {}],
      ["svc nope --no-color", {}],
    ];
    for (const [command, more] of plain) {
      const { stdout } = await svc.runInTerminal(command, { env: { ...env, ...more } });
      expect(stdout).not.toBe("");
      expect(stdout).not.toContain("\u001b");
    }
  });

  it("cuts a table at the edge", async () => {
    const { stdout } = await svc.runInTerminal("stty cols 40; svc --no-color datasource list", { env });
    const widths = stdout
      .trimEnd()
      .split("\r\n")
      .map((line) => line.length);
    expect(Math.max(...widths)).toBe(40);
    expect(stdout).toContain("…");
  });

  it("ends quietly when the reader has seen enough", async () => {
    expect(await svc.runInTerminal("svc completion bash | head -1", { env })).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^# Completion of svc for bash\..*\r\n$/),
    });
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ERRORS, type ErrorCode, problemSchema } from "@svc/contract";
import { describe, expect, it } from "vitest";
import type { InstalledSvc } from "./testing/run-svc.ts";
import { KEY, sendProblem, type StandInService } from "./testing/stand-in-service.ts";
import { testWithSvc } from "./testing/test-with-svc.ts";

let service: StandInService;
let svc: InstalledSvc;
let env: Record<string, string>;

testWithSvc((world) => {
  ({ service, svc, env } = world);
});

const list = (...args: string[]) => svc.run(["datasource", "list", ...args], { env });

describe("exit codes", () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  it.each(codes)("%s exits as the contract says, with nothing on standard output", async (code) => {
    service.instead = (response) => sendProblem(response, code, "What happened, and what to do.");
    const { exit, stdout, stderr } = await list();
    expect({ exit, stdout }).toEqual({ exit: ERRORS[code].exit, stdout: "" });
    expect(stderr).toMatch(/^error: What happened, and what to do\.\n/);
  });

  it("3 where nobody is logged in", async () => {
    expect(await svc.run(["datasource", "list"])).toMatchObject({ exit: 3, stdout: "" });
  });

  it("5 for a wrong use, with what is right", async () => {
    for (const args of [
      [],
      ["nope"],
      ["datasource"],
      ["datasource", "nope"],
      ["db", "create"],
      ["-o", "xml", "status"],
    ]) {
      expect(await svc.run(args, { env })).toMatchObject({ exit: 5, stdout: "" });
    }
    expect((await svc.run(["datasurce", "list"])).stderr).toContain("Did you mean datasource?");
    expect((await list("--timeout", "0")).stderr).toContain("--timeout is a whole number from 1 to 3600");
  });

  it("7 where no answer comes in time", async () => {
    service.instead = () => undefined;
    expect(await list("--timeout", "1")).toEqual({
      exit: 7,
      stdout: "",
      stderr: "error: The service did not answer in time. Try again, or allow more with --timeout.\n",
    });
  });

  it("1 where nothing listens, which no one takes for a time-out", async () => {
    expect(await list("--api-url", "http://127.0.0.1:1")).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/ECONNREFUSED.* Is it running/),
    });
    expect(await list("--api-url", "http://nowhere.invalid")).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("ENOTFOUND"),
    });
  });

  it("1 for an answer that is not of the service, or shows the way elsewhere", async () => {
    service.instead = (response) => response.end("<html>");
    expect(await list()).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("something else than was asked for"),
    });
    service.instead = (response) => response.writeHead(301, { location: "https://app.example.com/" }).end();
    expect(await list()).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("https://app.example.com; use that address"),
    });
  });

  it("5 for a broken file of logins, which is left as it is", async () => {
    mkdirSync(svc.configDir);
    writeFileSync(join(svc.configDir, "config.json"), "{");
    expect(await svc.run(["datasource", "list"])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining("Move it away"),
    });
    expect(await list()).toMatchObject({ exit: 0 });
  });

  it("130 when it is interrupted", async () => {
    const child = spawn(process.execPath, [svc.path, "datasource", "list"], { env });
    service.instead = () => child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
  });
});

describe("what is said about a failure", () => {
  it("names every problem, and when to try again", async () => {
    const problems = [
      { path: "filters.color", message: "cannot be filtered on" },
      { path: "", message: "nor this" },
    ];
    service.instead = (response) => sendProblem(response, "RATE_LIMITED", "Too many.", { problems, retryAfter: 90 });
    expect((await list()).stderr).toBe(
      "error: Too many.\n  filters.color: cannot be filtered on\n  nor this\nTry again in 90 seconds.\n",
    );
  });

  it.each([
    [1, "1 second"],
    [119, "119 seconds"],
    [121, "3 minutes"],
    [7_201, "3 hours"],
  ])("tells a wait of %i seconds as %s", async (retryAfter, words) => {
    service.instead = (response) => sendProblem(response, "RATE_LIMITED", "Too many.", { retryAfter });
    expect((await list()).stderr).toContain(`Try again in ${words}.\n`);
  });

  it("is the problem itself with -o json, before or after the command", async () => {
    service.instead = (response) => sendProblem(response, "RATE_LIMITED", "Too many.", { retryAfter: 30 });
    for (const args of [
      ["-o", "json", "datasource", "list"],
      ["datasource", "list", "--output=json"],
    ]) {
      const { exit, stdout, stderr } = await svc.run(args, { env });
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
      expect(JSON.parse(stderr)).toMatchObject({ code: "RATE_LIMITED", detail: "Too many.", retry_after_seconds: 30 });
    }
  });

  it("has the same form for what this program finds itself", async () => {
    for (const args of [
      ["datasource", "list", "-o", "json"],
      ["context", "use", "nope", "-o", "json"],
      ["-o", "json", "nope"],
    ]) {
      const { exit, stderr } = await svc.run(args);
      const problem = problemSchema.parse(JSON.parse(stderr));
      expect(exit).toBe(ERRORS[problem.code].exit);
    }
  });

  it("cannot be made to steer the terminal", async () => {
    const evil = "\u001b[2J\u009b2J\u202e\r\nerror: fake";
    service.instead = (response) =>
      sendProblem(response, "CONFLICT", evil, { problems: [{ path: evil, message: evil }] });
    const { stderr } = await list();
    expect(stderr).toContain("[2J");
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}|\u202e|^error: fake/mu);
  });

  it("has no key in it, wherever it was said", async () => {
    service.instead = (response) =>
      sendProblem(response, "CONFLICT", `not ${KEY}`, { problems: [{ path: KEY, message: KEY }] });
    for (const args of [
      ["datasource", "list"],
      ["datasource", "list", "-o", "json"],
      [KEY],
      ["db", KEY],
      ["login", `--${KEY}`],
    ]) {
      const { exit, stdout, stderr } = await svc.run(args, { env });
      expect(exit).not.toBe(0);
      expect(stderr).toContain("svc_…");
      expect(`${stdout}${stderr}`).not.toContain(KEY);
    }
  });
});

it("options of the whole program are taken before and after the command", async () => {
  const given = ["--api-url", service.url, "--api-key", KEY, "--timeout", "5", "-o", "json", "--no-color"];
  for (const args of [
    [...given, "datasource", "list"],
    ["datasource", ...given, "list"],
    ["datasource", "list", ...given],
  ]) {
    const { exit, stdout } = await svc.run(args);
    expect({ exit, items: JSON.parse(stdout).items.length }).toEqual({ exit: 0, items: 2 });
  }
});

import { describe, expect, it } from "vitest";
import type { InstalledSvc } from "../testing/run-svc.ts";
import type { StandInService } from "../testing/stand-in-service.ts";
import { testWithSvc } from "../testing/test-with-svc.ts";

let service: StandInService;
let svc: InstalledSvc;
let env: Record<string, string>;

testWithSvc((world) => {
  ({ service, svc, env } = world);
});

const run = (...args: string[]) => svc.run(args, { env });

describe("svc datasource list", () => {
  it("shows what may be asked, as a table", async () => {
    expect(await run("datasource", "list")).toEqual({
      exit: 0,
      stderr: "",
      stdout: `ID        NAME   MIN ROLE  FILTERS                  DESCRIPTION
db_notes  notes  viewer    team:string,year:number  Notes of the support team
db_hr     hr     admin
`,
    });
    expect(service.received).toEqual([
      { request: "GET /api/wf/slim/data-sources", body: undefined, userAgent: "svc/0.1.0" },
    ]);
  });

  it("shows it to programs as the service gave it", async () => {
    const json = await run("datasource", "list", "-o", "json");
    expect(JSON.parse(json.stdout)).toEqual({ items: service.sources });
    expect((await run("-o", "yaml", "datasource", "list")).stdout).toBe(`items:
  - id: db_notes
    name: notes
    min_role: viewer
    filters:
      team: string
      year: number
    targets:
      - articles
    description: Notes of the support team
  - id: db_hr
    name: hr
    min_role: admin
    filters: {}
    targets:
      - people
    description: null
`);
  });

  it("says so on the side where there is nothing", async () => {
    service.sources = [];
    expect(await run("datasource", "list")).toMatchObject({
      exit: 0,
      stdout: "",
      stderr: expect.stringMatching(/no data source/),
    });
    expect(JSON.parse((await run("datasource", "list", "-o", "json")).stdout)).toEqual({ items: [] });
  });

  it("cannot be made to steer the terminal by a description", async () => {
    service.sources = [{ ...service.sources[0]!, description: "\u001b]0;owned\u0007\u009b2Jx" }];
    for (const format of ["table", "json", "yaml"]) {
      const { stdout } = await run("datasource", "list", "-o", format);
      expect(stdout).toContain("owned");
      expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
    }
  });
});

describe("svc datasource query", () => {
  const ASK = ["datasource", "query", "db_notes", "who handles refunds?"];

  it("asks, and shows hits to read", async () => {
    expect(await run(...ASK)).toEqual({
      exit: 0,
      stderr: "",
      stdout: `2 hits

1  0.9123  42  Refunds  (articles)
   team: billing
   year: 2026

2  0.5000  7  (articles)
   team: -
`,
    });
    expect(service.received).toMatchObject([
      { request: "POST /api/wf/slim/data-sources/db_notes/query", body: { query: "who handles refunds?" } },
    ]);
  });

  it("sends filters as text, the same column twice as either value", async () => {
    await run(
      ...ASK,
      "--filter",
      "team=billing",
      "--filter",
      "team=a=b",
      "--filter",
      "year=2026",
      "--top-k",
      "20",
      "--target",
      "articles",
    );
    expect(service.received[0]?.body).toEqual({
      query: "who handles refunds?",
      filters: { team: ["billing", "a=b"], year: "2026" },
      top_k: 20,
      target: "articles",
    });
  });

  it("takes a column of any name for a column", async () => {
    await run(...ASK, "--filter", "__proto__=x", "--filter", "constructor=", "--filter", "a b:=c");
    expect(JSON.stringify(service.received[0]?.body)).toContain('{"__proto__":"x","constructor":"","a b:":"c"}');
  });

  it("shows a table, JSON and YAML", async () => {
    expect((await run(...ASK, "-o", "table")).stdout).toBe(
      "2 hits\n\nRANK  SCORE   ID  TARGET    TITLE\n1     0.9123  42  articles  Refunds\n2     0.5000  7   articles\n",
    );
    expect(JSON.parse((await run(...ASK, "-o", "json")).stdout)).toEqual(service.answer);
    expect((await run(...ASK, "--output=yaml")).stdout).toContain(
      'count: 2\nresults:\n  - id: "42"\n    title: Refunds\n',
    );
  });

  it("says what was cut", async () => {
    service.answer = { ...service.answer, truncated: "1 of 3 hits was left out" };
    expect((await run(...ASK)).stdout).toMatch(/\nShortened: 1 of 3 hits was left out\n$/);
  });

  it.each([
    [["--top-k", "0"], "--top-k is a whole number from 1 to 20"],
    [["--top-k", "21"], "--top-k is a whole number from 1 to 20"],
    [["--top-k", "1.5"], "--top-k is a whole number from 1 to 20"],
    [["--top-k", "many"], "--top-k is a whole number from 1 to 20"],
    [["--filter", "team"], "--filter takes column=value"],
    [["--filter", "=x"], "--filter takes column=value"],
    [["--nope"], "unknown option '--nope'"],
    [["more", "words"], "too many arguments"],
  ])("refuses %j before anything is sent", async (args, message) => {
    const { exit, stdout, stderr } = await run(...ASK, ...args);
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
    expect(service.received).toEqual([]);
  });

  it.each(["..", ".", "db_notes/../../databases", "a b", "db_notes?x"])("does not take %j for a source", async (id) => {
    expect(await run("datasource", "query", id, "x")).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(/is not a name/),
    });
    expect(service.received).toEqual([]);
  });

  it("answers 4 for a source that is not there", async () => {
    expect(await run("datasource", "query", "db_nope", "x")).toEqual({
      exit: 4,
      stdout: "",
      stderr: "error: No such data source.\n",
    });
  });
});

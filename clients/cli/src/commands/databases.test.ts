import { describe, expect, it } from "vitest";
import type { InstalledSvc } from "../testing/run-svc.ts";
import { database, type StandInService } from "../testing/stand-in-service.ts";
import { testWithSvc } from "../testing/test-with-svc.ts";

let service: StandInService;
let svc: InstalledSvc;
let env: Record<string, string>;

testWithSvc((world) => {
  ({ service, svc, env } = world);
});

const run = (...args: string[]) => svc.run(args, { env });
const requests = () => service.received.map(({ request }) => request);

describe("svc db create", () => {
  it("waits until the database is ready", async () => {
    service.pollsUntilReady = 2;
    expect(await run("db", "create", "fresh", "--description", "New")).toEqual({
      exit: 0,
      stdout: "Database fresh is ready. As a data source it is db_fresh.\n",
      stderr: "Connect to it: svc db connect fresh\n",
    });
    expect(service.received[0]).toMatchObject({
      request: "POST /api/wf/databases",
      body: { name: "fresh", description: "New" },
    });
    expect(requests().slice(1)).toEqual(Array.from({ length: 3 }, () => "GET /api/wf/databases/fresh"));
  });

  it("returns at once with --no-wait", async () => {
    const { exit, stdout } = await run("db", "create", "fresh", "--no-wait", "-o", "json");
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, name: "fresh", status: "creating" });
    expect(requests()).toEqual(["POST /api/wf/databases"]);
    expect((await run("db", "create", "other", "--no-wait")).stdout).toContain("is being created");
  });

  it("answers 7 where it takes too long", async () => {
    service.pollsUntilReady = 1_000;
    expect(await run("db", "create", "fresh", "--timeout", "1")).toMatchObject({
      exit: 7,
      stdout: "",
      stderr: "error: Database fresh is still being created. See how far it is: svc db list\n",
    });
  });

  it("answers 6 for a name that is taken, also by a deletion meanwhile", async () => {
    expect(await run("db", "create", "notes")).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/There is a database notes already/),
    });
    service.pollsUntilReady = 1_000;
    const creating = run("db", "create", "fresh");
    await expect.poll(requests).toContain("GET /api/wf/databases/fresh");
    service.databases.set("fresh", database("fresh", { status: "deleting" }));
    expect(await creating).toMatchObject({ exit: 6, stderr: expect.stringMatching(/was deleted meanwhile/) });
  });
});

describe("svc db list", () => {
  it("shows the databases, and until when a deleted one can be restored", async () => {
    service.databases.set(
      "old",
      database("old", { status: "deleting", data_source: false, delete_after: "2026-05-08T10:00:00.000Z" }),
    );
    expect((await run("db", "list")).stdout).toBe(
      `NAME   STATUS                                           SOURCE ID  DATA SOURCE  CREATED               DESCRIPTION
notes  ready                                            db_notes   on           2026-05-01 10:00 UTC  Notes of the support team
old    deleting, restorable until 2026-05-08 10:00 UTC  db_old     off          2026-05-01 10:00 UTC
`,
    );
    expect(JSON.parse((await run("db", "list", "-o", "json")).stdout)).toMatchObject({ items: [{}, { name: "old" }] });
    expect((await run("db", "list", "-o", "yaml")).stdout).toMatch(/^items:\n {2}- name: notes\n/);
  });

  it("says how to make one where there is none", async () => {
    service.databases.clear();
    expect(await run("db", "list")).toMatchObject({
      exit: 0,
      stdout: "",
      stderr: expect.stringMatching(/svc db create <name>/),
    });
  });
});

describe("svc db connect", () => {
  const STRING = "postgres://notes_owner:s3cret@db.example.com:5432/notes";

  it("prints the connection string, and says what it is on the side", async () => {
    const { exit, stdout, stderr } = await run("db", "connect", "notes");
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `${STRING}\n` });
    expect(stderr).toContain('psql "$(svc db connect notes -q)"');
    expect(stderr).not.toContain("s3cret");
  });

  it("prints it alone with -q", async () => {
    expect(await run("db", "connect", "notes", "-q")).toEqual({ exit: 0, stdout: `${STRING}\n`, stderr: "" });
  });

  it("prints its parts to programs", async () => {
    expect(JSON.parse((await run("db", "connect", "notes", "-o", "json")).stdout)).toMatchObject({
      user: "notes_owner",
    });
  });

  it("answers 4 where there is no such database", async () => {
    expect(await run("db", "connect", "nope", "-q")).toEqual({
      exit: 4,
      stdout: "",
      stderr: "error: No such database.\n",
    });
  });
});

describe("svc db delete, restore and rotate", () => {
  it.each(["delete", "rotate"])("%s does nothing without --yes where nobody can be asked", async (act) => {
    expect(await run("db", act, "notes")).toMatchObject({
      exit: 5,
      stdout: "",
      stderr: expect.stringMatching(/needs --yes/),
    });
    expect(requests()).toEqual([]);
  });

  it("deletes, and says until when it can be undone", async () => {
    expect(await run("db", "delete", "notes", "--yes")).toEqual({
      exit: 0,
      stdout: "Database notes is deleted.\n",
      stderr: "Until 2026-05-08 10:00 UTC you get it back with: svc db restore notes\n",
    });
    expect(requests()).toEqual(["DELETE /api/wf/databases/notes"]);
  });

  it("restores", async () => {
    service.databases.set("notes", database("notes", { status: "deleting" }));
    expect(await run("db", "restore", "notes")).toEqual({ exit: 0, stdout: "Database notes is back.\n", stderr: "" });
    expect(requests()).toEqual(["POST /api/wf/databases/notes/restore"]);
  });

  it("gives a new password", async () => {
    expect(await run("db", "rotate", "notes", "-y")).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/gets a new password/),
    });
    expect(requests()).toEqual(["POST /api/wf/databases/notes/rotate"]);
  });

  it.each(["delete", "restore", "rotate"])("%s answers 4 where there is no such database", async (act) => {
    expect(await run("db", act, "nope", ...(act === "restore" ? [] : ["--yes"]))).toMatchObject({
      exit: 4,
      stdout: "",
    });
  });

  it("prints what came of it to programs", async () => {
    expect(JSON.parse((await run("db", "delete", "notes", "--yes", "-o", "json")).stdout)).toMatchObject({
      name: "notes",
      status: "deleting",
    });
  });
});

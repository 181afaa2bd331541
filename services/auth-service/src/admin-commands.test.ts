import { identityMigrations } from "@svc/identity";
import { createMigratedDatabase } from "@svc/platform/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HELP, runAdmin } from "./admin-commands.ts";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  database = await createMigratedDatabase([identityMigrations]);
});

afterAll(() => database?.drop());
beforeEach(async () => {
  await database.db.deleteFrom("identity.platform_oauth_clients").execute();
});

async function admin(...args: string[]) {
  let text = "";
  const outcome = await runAdmin(args, database.url, { write: (part) => (text += part) });
  return { ...outcome, text };
}

const add = (...more: string[]) =>
  admin("clients", "add", "--name", "Reports agent", "--redirect-uri", "https://agent.example.com/cb", ...more);

describe("svc-admin clients", () => {
  it("add: makes one that never expires, and says its id", async () => {
    const { exitCode, text } = await add();
    expect([exitCode, text]).toEqual([
      0,
      expect.stringMatching(/^Added Reports agent. Its client id is pre_[\w-]{22}\n$/),
    ]);
    const rows = await database.db
      .selectFrom("identity.platform_oauth_clients")
      .select(["kind", "is_active", "expires_at"])
      .execute();
    expect(rows).toEqual([{ kind: "preregistered", is_active: true, expires_at: null }]);
  });

  it("add --json: the same for programs", async () => {
    const { text } = await add("--redirect-uri", "http://127.0.0.1/cb", "--json");
    expect(JSON.parse(text)).toMatchObject({
      kind: "preregistered",
      redirect_uris: ["http://127.0.0.1/cb", "https://agent.example.com/cb"],
      is_active: true,
      grants: 0,
    });
  });

  it.each([
    [["clients", "add", "--name", "x"], /--redirect-uri/],
    [["clients", "add", "--redirect-uri", "https://a.example/cb"], /--name/],
    [["clients", "add", "--name", "x", "--redirect-uri", "http://a.example/cb"], /must use https/],
    [["clients", "add", "--nam", "x"], /--help/],
    [["clients", "remove", "x"], /Say what to do/],
    [["clients", "disable"], /Say what to do/],
    [["people", "list"], /Only `clients`/],
  ])("5: %j", async (args, because) => {
    const { exitCode, problem, text } = await admin(...args);
    expect([exitCode, text]).toEqual([5, ""]);
    expect(problem).toMatch(because);
  });

  it("list: a table, and JSON", async () => {
    expect((await admin("clients", "list")).text).toBe("None.\n");
    await add();
    await admin("clients", "disable", "https://bad.example.com/client.json");
    const [head, ...rows] = (await admin("clients", "list")).text.trimEnd().split("\n");
    expect(head).toMatch(/^CLIENT ID +NAME +KIND +STATE +GRANTS +EXPIRES$/);
    expect(rows[0]).toMatch(/^pre_\S+ +Reports agent +preregistered +active +0 +never$/);
    expect(rows[1]).toMatch(/^https:\/\/bad.example.com\/client.json +bad.example.com +metadata_document +blocked/);
    expect(JSON.parse((await admin("clients", "list", "--json")).text)).toHaveLength(2);
  });

  it("disable and enable", async () => {
    const id = JSON.parse((await add("--json")).text).client_id as string;
    expect((await admin("clients", "disable", id)).text).toBe(`Disabled ${id}. 0 of people's grants ended.\n`);
    expect((await admin("clients", "list")).text).toContain("blocked");
    expect((await admin("clients", "enable", id)).exitCode).toBe(0);
    expect((await admin("clients", "list")).text).not.toContain("blocked");
  });

  it("4: one that is unknown", async () => {
    for (const verb of ["disable", "enable"]) {
      const { exitCode, problem } = await admin("clients", verb, "dyn_unknown");
      expect([exitCode, problem]).toEqual([4, expect.stringContaining("clients list")]);
    }
  });

  it("1: a database that is away", async () => {
    const { exitCode, problem } = await runAdmin(["clients", "list"], "postgres://u:p@127.0.0.1:1/none", {
      write: () => 0,
    });
    expect([exitCode, problem]).toEqual([1, expect.stringContaining("IDENTITY_DATABASE_URL")]);
  });

  it("explains itself, with examples of every command", () => {
    for (const verb of ["add", "list", "disable", "enable"]) expect(HELP).toContain(`svc-admin clients ${verb}`);
  });
});

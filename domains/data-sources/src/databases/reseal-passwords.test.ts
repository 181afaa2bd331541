import { randomBytes } from "node:crypto";
import { open, parseKeyring } from "@svc/platform/secrets";
import { recordingLogger, silentLogger } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabasesFixture, type DatabasesFixture, type TestOrg } from "../testing/databases-fixture.ts";
import { secretContext } from "./connect.ts";
import { createDatabase } from "./create-database.ts";
import { resealPasswords } from "./reseal-passwords.ts";
import { authorIn } from "../testing/author-in.ts";

const key = (): string => randomBytes(32).toString("base64");

let fixture: DatabasesFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDatabasesFixture();
  org = fixture.createOrg();
  for (const name of ["one", "two"])
    await createDatabase(fixture.context, authorIn(org.id), { name, data_source: true });
});
afterAll(() => fixture?.close());

const rows = () => fixture.db.selectFrom("data_sources.databases").selectAll().orderBy("name").execute();

describe("a new first key in the keyring", () => {
  it("opens every password after the next sweep, alone, and no password changed", async () => {
    const { keyring } = fixture.context;
    const before = await rows();
    const passwords = before.map((row) => open(keyring, row.owner_secret, secretContext(row.id, "owner")));
    const added = parseKeyring(
      `fresh:${key()},${keyring.activeId}:${keyring.keys.get(keyring.activeId)?.toString("base64")}`,
    );
    await resealPasswords(fixture.db, added, silentLogger());

    const alone = { activeId: "fresh", keys: new Map([["fresh", added.keys.get("fresh") ?? Buffer.alloc(0)]]) };
    const after = await rows();
    expect(after.map((row) => open(alone, row.owner_secret, secretContext(row.id, "owner")))).toEqual(passwords);
    for (const row of after) expect(open(alone, row.reader_secret, secretContext(row.id, "reader"))).toHaveLength(43);
    const { log, lines } = recordingLogger();
    await resealPasswords(fixture.db, added, log);
    expect(lines).toEqual([]);
  });

  it("that has lost the one before is named, and changes nothing", async () => {
    const before = await rows();
    const { log, lines } = recordingLogger();
    await resealPasswords(fixture.db, parseKeyring(`other:${key()}`), log);
    expect(lines).toMatchObject([{ level: "error", key: "fresh" }]);
    expect(await rows()).toEqual(before);
  });
});

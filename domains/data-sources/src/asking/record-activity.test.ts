import { randomBytes } from "node:crypto";
import type { Caller } from "@svc/contract";
import type { Db } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import { parseKeyring } from "@svc/platform/secrets";
import { createMigratedDatabase, recordingLogger, silentLogger } from "@svc/platform/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DB } from "../db-types.ts";
import { dataSourcesMigrations } from "../index.ts";
import { createActivityRecorder, type EndedQuestion } from "./record-activity.ts";

const keyring = parseKeyring(`k1:${randomBytes(32).toString("base64")}`);
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Db<DB>;

beforeAll(async () => {
  database = await createMigratedDatabase([dataSourcesMigrations]);
  db = database.db as Db<DB>;
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.deleteFrom("data_sources.activity").execute();
});

const caller: Caller = {
  kind: "api_token",
  org: { id: newId("org"), slug: "acme", name: "Acme" },
  role: "viewer",
  expires_at: null,
};
const ended = (n: number): EndedQuestion => ({
  caller,
  orgUuid: uuidOf(caller.org.id),
  sourceId: "db_notes",
  source: "api",
  question: `question ${n}`,
  answer: "an answer",
  hits: 1,
  durationMs: 1.234,
  outcome: "ok",
});
const countRows = async (): Promise<number> => {
  const { count } = await db
    .selectFrom("data_sources.activity")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

describe("recording activity", () => {
  it("loses nothing when the process stops, however much is waiting", async () => {
    const recorder = createActivityRecorder({ db, keyring, log: silentLogger(), flushMs: 60_000 });
    for (let n = 0; n < 2_500; n += 1) recorder.record(ended(n));
    expect(await countRows()).toBe(0);
    await recorder.close();
    expect(await countRows()).toBe(2_500);
  });

  it("loses nothing that arrives while it writes", async () => {
    const recorder = createActivityRecorder({ db, keyring, log: silentLogger(), flushMs: 1 });
    for (let n = 0; n < 300; n += 1) {
      recorder.record(ended(n));
      if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await recorder.close();
    expect(await countRows()).toBe(300);
  });

  it("keeps rows while the database is away and writes them when it is back", async () => {
    let isAway = true;
    const flaky = new Proxy(db, {
      get: (target, key) => {
        if (isAway && key === "getExecutor")
          throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const { log, lines } = recordingLogger();
    const recorder = createActivityRecorder({ db: flaky, keyring, log, flushMs: 5 });
    recorder.record(ended(1));
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    isAway = false;
    await expect.poll(countRows, { timeout: 5_000 }).toBe(1);
    await recorder.close();
  });

  it("drops a row that the database does not take, and keeps the others", async () => {
    const { log, lines } = recordingLogger();
    const recorder = createActivityRecorder({ db, keyring, log, flushMs: 60_000 });
    recorder.record(ended(1));
    recorder.record({ ...ended(2), hits: 1_000_000 });
    recorder.record(ended(3));
    await recorder.close();
    expect(await countRows()).toBe(2);
    expect(JSON.stringify(lines)).toContain("was refused by the database");
  });

  it("says what it lost when the database stays away until the end", async () => {
    const gone = new Proxy(db, {
      get: () => {
        throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      },
    });
    const { log, lines } = recordingLogger();
    const recorder = createActivityRecorder({ db: gone, keyring, log, flushMs: 60_000, maxWaiting: 3 });
    for (let n = 0; n < 5; n += 1) recorder.record(ended(n));
    await recorder.close();
    expect(lines.map((line) => JSON.stringify(line)).join("\n")).toContain('"lost":3');
  });
});

import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId, uuidOf } from "../ids/index.ts";
import { createMigratedDatabase, silentLogger, temporaryMigrations, waitUntil } from "../testing/index.ts";
import { ensureDailyPartition, maintainDailyPartitions } from "./daily-partitions.ts";
import { type Db, openDatabase } from "./open-database.ts";

const DAY_MS = 86_400_000;
const KEEP_DAYS = 3;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  const tables = `
    create table logs.lines (id uuid primary key) partition by range (id);
    create table logs.other (id uuid primary key) partition by range (id);
    insert into platform.daily_partitioned values ('logs', 'lines', ${KEEP_DAYS});`;
  database = await createMigratedDatabase([temporaryMigrations("logs", { "0001_tables.sql": tables })]);
});
afterAll(() => database.drop());
beforeEach(async () => {
  for (const partition of await partitions()) await sql`drop table ${sql.id("logs", partition)}`.execute(database.db);
});

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'logs.lines'::regclass order by 1`.execute(database.db);
  return rows.map(({ name }) => name);
}

const dayFromToday = (days: number): Date => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + days * DAY_MS);
const nameOf = (day: Date): string => `lines_${day.toISOString().slice(0, 10).replaceAll("-", "")}`;

/** A UUIDv7 of that moment. */
function uuidAt(moment: string): string {
  const hex = new Date(moment).getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8abc-0123456789ab`;
}

async function partitionTaking(id: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    insert into logs.lines values (${id}) returning tableoid::regclass::text as name`.execute(database.db);
  return rows[0]?.name ?? "";
}

describe("tables partitioned by day", () => {
  it("get the partitions of today and the days ahead, once", async () => {
    expect(await maintainDailyPartitions(database.db, 4)).toEqual({ created: 5, dropped: 0 });
    expect(await partitions()).toEqual([0, 1, 2, 3, 4].map((days) => nameOf(dayFromToday(days))));
    expect(await maintainDailyPartitions(database.db, 4)).toEqual({ created: 0, dropped: 0 });
    expect(await partitionTaking(uuidOf(newId("evt")))).toBe(`logs.${nameOf(dayFromToday(0))}`);
  });

  it("are kept a week ahead unless told otherwise, and never further than a month", async () => {
    expect(await maintainDailyPartitions(database.db)).toEqual({ created: 8, dropped: 0 });
    expect(await maintainDailyPartitions(database.db, 10_000)).toEqual({ created: 24, dropped: 0 });
  });

  it("lose the days past their retention and no other", async () => {
    for (const days of [-400, -KEEP_DAYS - 1, -KEEP_DAYS, -1]) {
      await ensureDailyPartition(database.db, "logs", "lines", dayFromToday(days));
    }
    expect(await maintainDailyPartitions(database.db, 0)).toEqual({ created: 1, dropped: 2 });
    expect(await partitions()).toEqual([-KEEP_DAYS, -1, 0].map((days) => nameOf(dayFromToday(days))));
  });

  it.each(["UTC", "Pacific/Auckland", "America/Los_Angeles"])("have days in UTC for a session in %s", async (zone) => {
    const url = `${database.url}?options=${encodeURIComponent(`-c timezone=${zone}`)}`;
    const elsewhere = openDatabase<unknown>({ url, name: "test", log: silentLogger() });
    await ensureDailyPartition(elsewhere.db, "logs", "lines", new Date("2026-03-01T23:30:00Z"));
    await ensureDailyPartition(elsewhere.db, "logs", "lines", new Date("2026-03-02T00:30:00Z"));
    await elsewhere.close();
    expect(await partitionTaking(uuidAt("2026-03-01T00:00:00.000Z"))).toBe("logs.lines_20260301");
    expect(await partitionTaking(uuidAt("2026-03-01T23:59:59.999Z"))).toBe("logs.lines_20260301");
    expect(await partitionTaking(uuidAt("2026-03-02T00:00:00.000Z"))).toBe("logs.lines_20260302");
  });

  /** Lets all of them come as far as a lock on the table, and only then go on. */
  async function tenAtOnce(act: (db: Db) => Promise<unknown>): Promise<PromiseSettledResult<unknown>[]> {
    const name = `test-ten-${process.pid}`;
    const many = openDatabase<unknown>({ url: database.url, name, log: silentLogger(), maxConnections: 10 });
    const waiting = async (): Promise<boolean> => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock'`.execute(
        database.db,
      );
      return rows.length === 10;
    };
    const results = await database.db.transaction().execute(async (holder) => {
      await sql`lock table logs.lines in share mode`.execute(holder);
      const acts = Array.from({ length: 10 }, () => act(many.db));
      await waitUntil(waiting);
      return { settled: Promise.allSettled(acts) };
    });
    const settled = await results.settled;
    await many.close();
    return settled;
  }

  it("can be asked for the same day by ten connections at once", async () => {
    const day = new Date("2026-04-01");
    const results = await tenAtOnce((db) => ensureDailyPartition(db, "logs", "lines", day));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await partitions()).toEqual(["lines_20260401"]);
  });

  it("can be kept up by ten workers at once", async () => {
    await ensureDailyPartition(database.db, "logs", "lines", dayFromToday(-10));
    const making = await tenAtOnce((db) => maintainDailyPartitions(db, 2));
    expect(making.filter(({ status }) => status === "rejected")).toEqual([]);
    await ensureDailyPartition(database.db, "logs", "lines", dayFromToday(-10));
    const dropping = await tenAtOnce((db) => maintainDailyPartitions(db, 2));
    expect(dropping.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await partitions()).toEqual([0, 1, 2].map((days) => nameOf(dayFromToday(days))));
  });

  it.each([
    ["other", "a table that no migration registered"],
    ["missing", "a table that does not exist"],
    ["lines; drop table logs.lines", "a name that is meant to do harm"],
  ])("are the only ones touched: %s is refused as %s", async (table) => {
    await expect(ensureDailyPartition(database.db, "logs", table, new Date())).rejects.toThrow(
      `logs.${table} is not partitioned by day`,
    );
    expect(await partitions()).toEqual([]);
  });
});

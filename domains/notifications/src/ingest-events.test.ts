import type { Event, Id } from "@svc/contract";
import { maintainDailyPartitions } from "@svc/platform/db";
import { idFromUuid, newId, uuidOf } from "@svc/platform/ids";
import { createOutbox } from "@svc/platform/outbox";
import { createMigratedDatabase, temporaryMigrations } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { notificationsMigrations } from "./index.ts";
import { ingestEvents, ingestRows, moveFromOutbox } from "./ingest-events.ts";

const DAY_MS = 86_400_000;
const org_id = newId("org");
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  const shop = temporaryMigrations("shop", { "0001_outbox.sql": "select platform.create_outbox('shop')" });
  database = await createMigratedDatabase([notificationsMigrations, shop]);
});
afterAll(() => database.drop());
beforeEach(() => sql`truncate notifications.events, shop.outbox`.execute(database.db));

/** An event of another day than today. */
function idAt(days: number): Id<"evt"> {
  const time = (Date.now() + days * DAY_MS).toString(16).padStart(12, "0");
  return idFromUuid("evt", `${time.slice(0, 8)}-${time.slice(8)}${uuidOf(newId("evt")).slice(13)}`);
}

function eventOf(id = newId("evt")): Event {
  const subject = { kind: "deploy", id: "dep_1", app: "shop" };
  const occurred_at = "2026-07-01T10:00:00.123Z";
  return { id, org_id, type: "deploy.failed", subject, data: { code: "E1", attempt: 2 }, occurred_at };
}

const eventsOf = (count: number): Event[] => Array.from({ length: count }, () => eventOf());

async function recorded(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from notifications.events order by id`.execute(database.db);
  return rows.map(({ id }) => idFromUuid("evt", id));
}

async function waiting(): Promise<number> {
  return (await sql`select 1 from shop.outbox`.execute(database.db)).rows.length;
}

const idsOf = (events: Event[]): string[] => events.map(({ id }) => id).toSorted();

describe("taking over events", () => {
  it("records all that an event holds", async () => {
    const event = eventOf();
    expect(await ingestEvents(database.db, [event])).toBe(1);
    const { rows } = await sql`select * from notifications.events`.execute(database.db);
    expect(rows).toEqual([
      {
        ...event,
        id: uuidOf(event.id),
        org_id: uuidOf(org_id),
        occurred_at: new Date(event.occurred_at),
        ingested_at: expect.any(Date),
      },
    ]);
  });

  it("records each event once when a batch comes twice", async () => {
    const events = eventsOf(100);
    expect(await ingestEvents(database.db, events)).toBe(100);
    expect(await ingestEvents(database.db, events)).toBe(0);
    expect(await recorded()).toEqual(idsOf(events));
  });

  it("records what is new of a batch that overlaps with an earlier one, or repeats an event within itself", async () => {
    const [first, second, third] = [eventOf(), eventOf(), eventOf()];
    expect(await ingestEvents(database.db, [first, second])).toBe(2);
    expect(await ingestEvents(database.db, [second, third, third])).toBe(1);
    expect(await recorded()).toEqual(idsOf([first, second, third]));
  });

  it("keeps what was recorded first when an event comes again with other words", async () => {
    const event = eventOf();
    await ingestEvents(database.db, [event]);
    await ingestEvents(database.db, [{ ...event, type: "pipeline.run.failed" }]);
    const { rows } = await sql`select type from notifications.events`.execute(database.db);
    expect(rows).toEqual([{ type: "deploy.failed" }]);
  });

  it("records each event once when the same batch comes ten times at once", async () => {
    const events = eventsOf(50);
    const counts = await Promise.all(Array.from({ length: 10 }, () => ingestEvents(database.db, events)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50);
    expect(await recorded()).toEqual(idsOf(events));
  });

  it("takes events of days that have no partition, long ago or far ahead, together with those of today", async () => {
    const events = [eventOf(idAt(-400)), eventOf(), eventOf(idAt(40)), eventOf(idAt(-400))];
    expect(await ingestEvents(database.db, events)).toBe(4);
    expect(await ingestEvents(database.db, events)).toBe(0);
    expect(await recorded()).toEqual(idsOf(events));
    const { dropped } = await maintainDailyPartitions(database.db);
    expect(dropped).toBe(1);
    expect(await recorded()).toEqual(idsOf(events.slice(1, 3)));
  });

  it("takes new days that ten batches bring at once", async () => {
    const batches = Array.from({ length: 10 }, () => [eventOf(idAt(50)), eventOf(idAt(51)), eventOf(idAt(52))]);
    const counts = await Promise.all(batches.map((events) => ingestEvents(database.db, events)));
    expect(counts).toEqual(batches.map(() => 3));
    expect(await recorded()).toEqual(idsOf(batches.flat()));
  });

  it("records nothing of a batch that cannot be read", async () => {
    const rows = JSON.stringify([{ ...eventOf(), id: "not-a-uuid", org_id: uuidOf(org_id) }]);
    await expect(ingestRows(database.db, { count: 1, rows })).rejects.toThrow("invalid input syntax for type uuid");
    expect(await recorded()).toEqual([]);
  });
});

describe("moving events from an outbox of the same database", () => {
  const outbox = createOutbox("shop");
  const event = { org_id, type: "deploy.failed", subject: { kind: "deploy", id: "dep_1" } } as const;
  const write = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) ids.push(await outbox.write(database.db, event));
    return ids.toSorted();
  };

  it("takes the oldest first, as many as asked, and answers how many", async () => {
    const ids = await write(5);
    const move = moveFromOutbox(database.db, "shop");
    expect([await move(3), await waiting()]).toEqual([3, 2]);
    expect(await recorded()).toEqual(ids.slice(0, 3));
    expect([await move(3), await move(3), await waiting()]).toEqual([2, 0, 0]);
    expect(await recorded()).toEqual(ids);
  });

  it("sets an event aside that is dated too far off, and moves the others", async () => {
    const ids = await write(3);
    await sql`insert into shop.outbox (id, org_id, type, subject, data, occurred_at)
      select platform.uuid_at('2200-01-01'), org_id, type, subject, data, occurred_at from shop.outbox limit 1`.execute(
      database.db,
    );
    const move = moveFromOutbox(database.db, "shop");
    expect(await move(10)).toBe(1);
    expect(await move(10)).toBe(3);
    expect(await recorded()).toEqual(ids);
    const { rows } = await sql<{ refused_reason: string }>`select refused_reason from shop.outbox`.execute(database.db);
    expect(rows).toEqual([{ refused_reason: expect.stringContaining("2200-01-01") }]);
    await sql`delete from shop.outbox`.execute(database.db);
  });

  it("gives each event to one of those who move at once", async () => {
    const ids = await write(60);
    const counts = await Promise.all(Array.from({ length: 10 }, () => moveFromOutbox(database.db, "shop")(10)));
    const moved = counts.reduce((sum, count) => sum + count, 0);
    expect(await waiting()).toBe(60 - moved);
    while ((await waiting()) > 0) await moveFromOutbox(database.db, "shop")(10);
    expect(await recorded()).toEqual(ids);
  });

  it("clears events away that were recorded before, and counts them as moved", async () => {
    const ids = await write(3);
    await sql`insert into notifications.events (org_id, id, type, subject, data, occurred_at)
      select org_id, id, type, subject, data, occurred_at from shop.outbox order by id limit 2`.execute(database.db);
    expect(await moveFromOutbox(database.db, "shop")(10)).toBe(3);
    expect([await waiting(), await recorded()]).toEqual([0, ids]);
  });

  it("makes the day of an event that has none", async () => {
    await write(2);
    await sql`update shop.outbox set id = ${uuidOf(idAt(-500))} where id = (select min(id::text)::uuid from shop.outbox)`.execute(
      database.db,
    );
    expect(await moveFromOutbox(database.db, "shop")(10)).toBe(2);
    expect(await recorded()).toHaveLength(2);
  });

  it("leaves events alone that were set aside", async () => {
    await write(2);
    await sql`update shop.outbox set refused_reason = 'no' where id = (select min(id::text)::uuid from shop.outbox)`.execute(
      database.db,
    );
    expect(await moveFromOutbox(database.db, "shop")(10)).toBe(1);
    expect(await waiting()).toBe(1);
  });
});

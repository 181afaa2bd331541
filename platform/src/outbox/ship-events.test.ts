import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId, uuidOf } from "../ids/index.ts";
import {
  createMigratedDatabase,
  recordingLogger,
  silentLogger,
  temporaryMigrations,
  waitUntil,
} from "../testing/index.ts";
import { handOver, type Ingest } from "./hand-over.ts";
import { EventsRefused, type Shipper, startShipper } from "./ship-events.ts";
import { createOutbox } from "./write-event.ts";

const outbox = createOutbox("shop");
const org_id = newId("org");
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let shippers: Shipper[] = [];

beforeAll(async () => {
  const files = { "0001_outbox.sql": "select platform.create_outbox('shop')" };
  database = await createMigratedDatabase([temporaryMigrations("shop", files)]);
});
afterAll(() => database.drop());
beforeEach(() => sql`truncate shop.outbox`.execute(database.db));
afterEach(async () => {
  await Promise.all(shippers.map((shipper) => shipper.stop()));
  shippers = [];
});

function ship(ingest: Ingest, options: { batchSize?: number; lanes?: number } = {}, log = silentLogger()): Shipper {
  const { db } = database;
  const shipper = startShipper({ db, schema: "shop", ship: handOver(db, "shop", ingest, log), log, ...options });
  shippers.push(shipper);
  return shipper;
}

async function write(count: number): Promise<string[]> {
  const ids: string[] = [];
  await database.db.transaction().execute(async (tx) => {
    for (let at = 0; at < count; at += 1) {
      const subject = { kind: "deploy", id: `dep_${at}` };
      ids.push(uuidOf(await outbox.write(tx, { org_id, type: "deploy.failed", subject })));
    }
  });
  return ids;
}

async function waiting(): Promise<number> {
  const { rows } = await sql`select 1 from shop.outbox where refused_reason is null`.execute(database.db);
  return rows.length;
}

async function refused(): Promise<{ id: string; refused_reason: string }[]> {
  const { rows } = await sql<{ id: string; refused_reason: string }>`
    select id, refused_reason from shop.outbox where refused_reason is not null order by id`.execute(database.db);
  return rows;
}

const idsIn = (rows: string): string[] => (JSON.parse(rows) as { id: string }[]).map(({ id }) => id);

describe("shipping events", () => {
  it("hands over everything, each event once while nothing fails, and empties the outbox", async () => {
    const ids = await write(250);
    const taken: string[] = [];
    const counts: number[] = [];
    ship(
      async ({ count, rows }) => {
        counts.push(count);
        taken.push(...idsIn(rows));
      },
      { batchSize: 50 },
    );
    await waitUntil(async () => (await waiting()) === 0);
    expect(taken.toSorted()).toEqual(ids.toSorted());
    expect(Math.max(...counts)).toBe(50);

    const later = await write(3);
    await waitUntil(() => taken.length === 253);
    expect(taken.slice(250).toSorted()).toEqual(later.toSorted());
  });

  it("hands over all that an event holds", async () => {
    const id = await outbox.write(database.db, {
      org_id,
      type: "pipeline.run.failed",
      subject: { kind: "run", id: "run_1", app: "shop" },
      data: { step: "load", attempt: 2 },
    });
    const batches: unknown[] = [];
    ship(async ({ rows }) => void batches.push(...JSON.parse(rows)));
    await waitUntil(() => batches.length > 0);
    expect(batches).toEqual([
      {
        id: uuidOf(id),
        org_id: uuidOf(org_id),
        type: "pipeline.run.failed",
        subject: { kind: "run", id: "run_1", app: "shop" },
        data: { step: "load", attempt: 2 },
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ]);
  });

  it("keeps every event and tries again while the receiver fails", async () => {
    const ids = await write(20);
    const { log, lines } = recordingLogger();
    const taken: string[] = [];
    let failures = 0;
    let isMended = false;
    ship(
      async ({ rows }) => {
        if (isMended) return void taken.push(...idsIn(rows));
        failures += 1;
        throw new Error("the gateway answered 503");
      },
      { batchSize: 7 },
      log,
    );
    await waitUntil(() => failures >= 4);
    expect(await waiting()).toBe(20);
    isMended = true;
    await waitUntil(async () => (await waiting()) === 0);
    expect(taken.toSorted()).toEqual(ids.toSorted());
    expect(await refused()).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ level: "warn", msg: "events wait in the outbox" }));
  });

  it("hands events over again that the receiver took but did not confirm", async () => {
    const ids = await write(5);
    const seen: string[][] = [];
    ship(
      async ({ rows }) => {
        seen.push(idsIn(rows).toSorted());
        if (seen.length === 1) throw new Error("the answer was lost");
      },
      { lanes: 1 },
    );
    await waitUntil(async () => (await waiting()) === 0);
    expect(seen).toEqual([ids.toSorted(), ids.toSorted()]);
  });

  it("finds the one event that is refused, sets it aside with the reason, and hands over all the others", async () => {
    const ids = await write(100);
    const bad = ids[37];
    const { log, lines } = recordingLogger();
    const taken = new Set<string>();
    ship(
      async ({ rows }) => {
        const batch = idsIn(rows);
        if (batch.includes(bad ?? "")) throw new EventsRefused("subject.kind is too long");
        batch.forEach((id) => taken.add(id));
      },
      { batchSize: 64 },
      log,
    );
    await waitUntil(async () => (await waiting()) === 0);
    expect(await refused()).toEqual([{ id: bad, refused_reason: "subject.kind is too long" }]);
    expect([...taken].toSorted()).toEqual(ids.filter((id) => id !== bad).toSorted());
    expect(lines.filter(({ level }) => level === "error")).toMatchObject([
      { msg: "an event was refused and set aside", event: expect.stringContaining(bad ?? "") },
    ]);
  });

  it("sets aside the refused events and never another, however many ship at once", async () => {
    const ids = await write(120);
    const bad = new Set(ids.filter((_, at) => at % 6 === 0));
    const taken = new Set<string>();
    const ingest: Ingest = async ({ rows }) => {
      const batch = idsIn(rows);
      if (batch.some((id) => bad.has(id))) throw new EventsRefused("no");
      batch.forEach((id) => taken.add(id));
    };
    ship(ingest, { batchSize: 4, lanes: 4 });
    ship(ingest, { batchSize: 4, lanes: 4 });
    await waitUntil(async () => (await waiting()) === 0);
    expect((await refused()).map(({ id }) => id)).toEqual([...bad].toSorted());
    expect(taken.size).toBe(ids.length - bad.size);
  });

  it("goes on when the database fails in the very moment an event is to be set aside", async () => {
    const [bad] = await write(1);
    let refusals = 0;
    await sql`alter table shop.outbox add constraint no_refusals check (refused_reason is null)`.execute(database.db);
    ship(
      async () => {
        refusals += 1;
        throw new EventsRefused("no");
      },
      { lanes: 1 },
    );
    await waitUntil(() => refusals > 1);
    await sql`alter table shop.outbox drop constraint no_refusals`.execute(database.db);
    await waitUntil(async () => (await refused()).length === 1);
    expect(await refused()).toEqual([{ id: bad, refused_reason: "no" }]);
  });

  it("ends after the batch under way, which is confirmed, and starts no other", async () => {
    await write(10);
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const taken: string[] = [];
    const shipper = ship(
      async ({ rows }) => {
        started.resolve();
        await release.promise;
        taken.push(...idsIn(rows));
      },
      { batchSize: 4, lanes: 1 },
    );
    await started.promise;
    const stopped = shipper.stop();
    release.resolve();
    await stopped;
    expect(taken).toHaveLength(4);
    expect(await waiting()).toBe(6);
  });

  it("ends at once while it waits for a receiver that fails, or for something to do", async () => {
    const idle = ship(async () => undefined);
    await idle.stop();
    await write(1);
    let failures = 0;
    const troubled = ship(async () => {
      failures += 1;
      throw new Error("still away");
    });
    await waitUntil(() => failures > 1);
    await troubled.stop();
    expect(await waiting()).toBe(1);
  });
});

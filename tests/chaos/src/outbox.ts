import { setTimeout as sleep } from "node:timers/promises";
import { appsMigrations, appsOutbox } from "@svc/apps";
import { dataSourcesMigrations, dataSourcesOutbox } from "@svc/data-sources";
import { notificationsMigrations } from "@svc/notifications";
import type { AnyDb } from "@svc/platform/db";
import { newId, uuidOf } from "@svc/platform/ids";
import { createMigratedDatabase, waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import { type ChaosResult, type ChaosRun, randomBetween, startVictim, type Victim } from "./harness.ts";

const EVENTS = 100_000;
const PER_TRANSACTION = 20;
const ROLLED_BACK = 0.1;
const WRITERS = 6;
const KILLS = 10;

class RollBack extends Error {}

export const outboxChaos: ChaosRun = {
  summary: `${EVENTS} events in transactions of which a tenth roll back, the shipper killed ${KILLS} times meanwhile`,
  run: async (report) => {
    const database = await createMigratedDatabase([appsMigrations, dataSourcesMigrations, notificationsMigrations]);
    const hire = (): Victim => startVictim("outbox-shipper.ts", { CHAOS_DATABASE_URL: database.url });
    // Two at a time: they must not take each other's events either.
    const shippers = [hire(), hire()];
    try {
      const writing = writeEvents(database.db);
      let faults = 0;
      while (faults < KILLS) {
        await sleep(randomBetween(300, 1_500));
        await waitUntil(async () => (await waiting(database.db)) > 0, 30_000, "an event under way");
        const slot = faults % shippers.length;
        await shippers[slot]?.kill();
        faults += 1;
        shippers[slot] = hire();
        report(`killed ${faults}: ${await waiting(database.db)} events wait`);
      }
      const { committed, rolledBack } = await writing;
      report(`written: ${committed.length} committed, ${rolledBack.length} rolled back`);
      await waitUntil(async () => (await waiting(database.db)) === 0, 120_000, "an empty outbox");
      return await judge(database.db, committed, rolledBack, faults);
    } finally {
      await Promise.all(shippers.map((shipper) => shipper.kill()));
      await database.drop();
    }
  },
};

interface Written {
  committed: string[];
  rolledBack: string[];
}

async function writeEvents(db: AnyDb): Promise<Written> {
  const written: Written = { committed: [], rolledBack: [] };
  let left = EVENTS / PER_TRANSACTION;
  const write = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const rollsBack = left % Math.round(1 / ROLLED_BACK) === 0;
      const ids = await writeTransaction(db, left % 2 === 0 ? appsOutbox : dataSourcesOutbox, rollsBack);
      (rollsBack ? written.rolledBack : written.committed).push(...ids);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return written;
}

async function writeTransaction(db: AnyDb, outbox: typeof appsOutbox, rollsBack: boolean): Promise<string[]> {
  const ids: string[] = [];
  const org_id = newId("org");
  await db
    .transaction()
    .execute(async (tx) => {
      for (let n = 0; n < PER_TRANSACTION; n += 1) {
        const id = await outbox.write(tx, {
          org_id,
          type: "deploy.failed",
          subject: { kind: "deployment", id: newId("dep") },
        });
        ids.push(uuidOf(id));
      }
      if (rollsBack) throw new RollBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error;
    });
  return ids;
}

async function waiting(db: AnyDb): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from apps.outbox)::int + (select count(*) from data_sources.outbox)::int as n`.execute(db);
  return rows[0]?.n ?? 0;
}

async function judge(db: AnyDb, committed: string[], rolledBack: string[], faults: number): Promise<ChaosResult> {
  const { rows } = await sql<{ id: string; delay: number }>`
    select id, extract(epoch from ingested_at - occurred_at)::float as delay from notifications.events`.execute(db);
  const seen = new Set(rows.map(({ id }) => id));
  const lost = committed.filter((id) => !seen.has(id)).length;
  const doubled = rows.length - seen.size;
  const leaked = rolledBack.filter((id) => seen.has(id)).length;
  const written = committed.length + rolledBack.length;
  return {
    faults,
    expected: committed.length,
    seen: rows.length,
    lost,
    doubled,
    leaked,
    longest_gap_s: Math.round(Math.max(...rows.map(({ delay }) => delay)) * 10) / 10,
    holds: written === EVENTS && rows.length === committed.length && lost + doubled + leaked === 0,
  };
}

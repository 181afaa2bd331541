import { appsMigrations, appsOutbox } from "@svc/apps";
import { moveFromOutbox, notificationsMigrations } from "@svc/notifications";
import { startShipper } from "@svc/platform/outbox";
import { createMigratedDatabase, silentLogger, waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import { type Bench, compare, rateOf } from "./harness.ts";

const EVENTS = 100_000;
const ROUNDS = 5;

const COLUMNS = sql`org_id, id, type, subject, data, occurred_at`;
const copyAll = sql`insert into notifications.events (${COLUMNS}) select ${COLUMNS} from apps.outbox`;
const moveAll = sql`
  with taken as (delete from apps.outbox returning ${COLUMNS})
  insert into notifications.events (${COLUMNS}) select ${COLUMNS} from taken`;

export const outboxBench: Bench = {
  summary: `${EVENTS} events from an outbox to the events table, against what bare SQL needs for the same rows`,
  run: async (report) => {
    const database = await createMigratedDatabase([appsMigrations, notificationsMigrations]);
    const { db } = database;
    const count = async (table: string): Promise<number> => {
      const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db);
      return Number(rows[0]?.n);
    };
    /** The same rows for both, and no dead ones of the round before. */
    const fill = async (): Promise<void> => {
      await sql`truncate apps.outbox, notifications.events`.execute(db);
      await sql`
        insert into apps.outbox (id, org_id, type, subject, data, occurred_at)
        select (substr(platform.uuid_at(now() + n * interval '1 millisecond')::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid,
               ('0190aaaa-0000-7000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid, 'deploy.failed',
               jsonb_build_object('kind', 'deployment', 'id', 'dep_' || n, 'app', 'shop'),
               jsonb_build_object('code', 'BUILD_FAILED'), now()
          from generate_series(1, ${sql.lit(EVENTS)}) n`.execute(db);
      await sql`vacuum analyze apps.outbox`.execute(db);
      await sql`checkpoint`.execute(db);
    };
    const verify = async (): Promise<void> => {
      const arrived = await count("notifications.events");
      if (arrived !== EVENTS) throw new Error(`${arrived} of ${EVENTS} events arrived`);
    };

    /** Fills, moves, checks that everything arrived, and answers the rate of the middle part. */
    const measure = async (move: () => Promise<unknown>): Promise<number> => {
      await fill();
      const rate = await rateOf(EVENTS, move);
      await verify();
      return rate;
    };
    const ship = async (): Promise<void> => {
      const shipper = startShipper({
        db,
        schema: appsOutbox.schema,
        ship: moveFromOutbox(db, appsOutbox.schema),
        log: silentLogger(),
      });
      const isEmpty = async () => (await sql`select 1 from apps.outbox limit 1`.execute(db)).rows.length === 0;
      await waitUntil(isEmpty, 60_000, "an empty outbox");
      await shipper.stop();
    };
    const shared = { unit: "events/s", goal: 0.8, rounds: ROUNDS, ours: () => measure(ship) };

    try {
      return [
        await compare(
          {
            ...shared,
            case: "ship, against a copy that deletes nothing",
            floor: () => measure(() => copyAll.execute(db)),
          },
          report,
        ),
        await compare(
          {
            ...shared,
            case: "ship, against a bare move of all rows at once",
            floor: () => measure(() => moveAll.execute(db)),
          },
          report,
        ),
      ];
    } finally {
      await database.drop();
    }
  },
};

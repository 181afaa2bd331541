/* A shipper to be killed, for an outbox beside the events table and for one that hands over to it. */
import { setTimeout as sleep } from "node:timers/promises";
import { ingestRows, moveFromOutbox } from "@svc/notifications";
import { type AnyDb, openDatabase } from "@svc/platform/db";
import { handOver, startShipper } from "@svc/platform/outbox";
import { silentLogger } from "@svc/platform/testing";
import { randomBetween } from "./harness.ts";

const log = silentLogger();
const db = openDatabase<unknown>({ url: process.env["CHAOS_DATABASE_URL"] ?? "", name: "chaos", log }).db as AnyDb;

startShipper({ db, schema: "apps", ship: moveFromOutbox(db, "apps"), log });
startShipper({
  db,
  schema: "data_sources",
  ship: handOver(
    db,
    "data_sources",
    async (batch) => {
      await ingestRows(db, batch);
      // The answer's way back: a kill in here leaves events that were taken over and are still in the outbox.
      await sleep(randomBetween(5, 40));
    },
    log,
  ),
  log,
});

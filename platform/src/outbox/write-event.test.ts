import { type EventType, type Id, idSchema } from "@svc/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { newId, uuidOf } from "../ids/index.ts";
import { createMigratedDatabase, temporaryMigrations } from "../testing/index.ts";
import { createOutbox, type NewEvent } from "./write-event.ts";

const outbox = createOutbox("shop");
const org_id = newId("org");
const event: NewEvent = { org_id, type: "deploy.failed", subject: { kind: "deploy", id: "dep_1", app: "shop" } };
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  const files = { "0001_outbox.sql": "select platform.create_outbox('shop')" };
  database = await createMigratedDatabase([temporaryMigrations("shop", files)]);
});
afterAll(() => database.drop());
beforeEach(() => sql`truncate shop.outbox`.execute(database.db));

async function rows(): Promise<Record<string, unknown>[]> {
  return (await sql<Record<string, unknown>>`select * from shop.outbox order by id`.execute(database.db)).rows;
}

describe("writing an event", () => {
  it("stores it in the outbox of its schema, with its time and an id of its own", async () => {
    const startedAt = Date.now();
    const id = await outbox.write(database.db, { ...event, data: { code: "E1", final: true } });
    expect(idSchema("evt").safeParse(id).success).toBe(true);
    const [row] = await rows();
    expect(row).toEqual({
      id: uuidOf(id),
      org_id: uuidOf(org_id),
      type: "deploy.failed",
      subject: event.subject,
      data: { code: "E1", final: true },
      occurred_at: expect.any(Date),
      refused_reason: null,
    });
    expect(Number(row?.["occurred_at"])).toBeGreaterThanOrEqual(startedAt);
  });

  it("happens exactly if the transaction commits that made it happen", async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await outbox.write(tx, event);
      throw new Error("the deploy was not recorded");
    });
    await expect(failing).rejects.toThrow("the deploy was not recorded");
    expect(await rows()).toEqual([]);
    await database.db.transaction().execute((tx) => outbox.write(tx, event));
    expect(await rows()).toHaveLength(1);
  });

  it.each<[string, Partial<NewEvent> & Record<string, unknown>]>([
    ["an unknown type", { type: "deploy.exploded" as EventType }],
    ["an unknown field", { severity: "high" }],
    ["an organization that is none", { org_id: "usr_01h455vb4pex5vsknk084sn02q" as Id<"org"> }],
    ["a subject without an id", { subject: { kind: "deploy" } as NewEvent["subject"] }],
    ["data that is not short and flat", { data: { log: "x".repeat(501) } }],
  ])("is refused with %s, and leaves nothing", async (_what, change) => {
    await expect(outbox.write(database.db, { ...event, ...change })).rejects.toThrow(z.ZodError);
    expect(await rows()).toEqual([]);
  });
});

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AnyDb } from "../db/index.ts";
import { createMigratedDatabase, silentLogger } from "../testing/index.ts";
import { defineJob } from "./define-job.ts";
import { type JobQueue, JobRefused } from "./enqueue.ts";
import { migrateJobs } from "./migrate-jobs.ts";
import { openJobQueue } from "./open-jobs.ts";

const retry = { limit: 1, delaySeconds: 1, maxDelaySeconds: 1 };
const data = z.strictObject({ app: z.string().max(10) });
const send = defineJob({ name: "test.send", data, retry, timeoutSeconds: 10 });
const deploy = defineJob({
  name: "test.deploy",
  data,
  exclusion: "one_at_all",
  key: ({ app }) => app,
  retry,
  timeoutSeconds: 10,
});
const sweep = defineJob({ name: "test.sweep", data, exclusion: "one_at_all", retry, timeoutSeconds: 10 });
const busy = defineJob({ name: "test.busy", data, retry, timeoutSeconds: 10, ownTable: true });

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let queue: JobQueue & { close(): Promise<void> };

beforeAll(async () => {
  database = await createMigratedDatabase([], (url) => migrateJobs(url, [send, deploy, sweep, busy]));
  await sql`create table public.orders (id integer primary key)`.execute(database.db);
  queue = openJobQueue(database.db, silentLogger());
});
afterAll(async () => {
  await queue.close();
  await database.drop();
});

interface Row {
  id: string;
  state: string;
  data: { data: { app: string } };
  start_after: Date;
}

async function jobsOf({ name }: { name: string }): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, state::text, data, start_after from pgboss.job where name = ${name} order by created_on, id`.execute(
    database.db,
  );
  return rows;
}

const appsOf = async (job: { name: string }): Promise<string[]> => (await jobsOf(job)).map((row) => row.data.data.app);

describe("asking for work", () => {
  it("happens exactly if the transaction that asks commits", async () => {
    const id = await database.db.transaction().execute(async (tx) => {
      await sql`insert into public.orders values (1)`.execute(tx);
      const sent = await queue.enqueue(tx, send, { app: "shop" });
      expect(await jobsOf(send)).toEqual([]);
      return sent;
    });
    expect((await jobsOf(send)).map((row) => row.id)).toEqual([id]);

    const failing = database.db.transaction().execute(async (tx) => {
      await queue.enqueue(tx, send, { app: "lost" });
      await sql`insert into public.orders values (1)`.execute(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await appsOf(send)).toEqual(["shop"]);
  });

  it.each([
    ["a missing field", {}],
    ["an unknown field", { app: "shop", force: true }],
    ["a field too long", { app: "x".repeat(11) }],
  ])("is refused with %s, before anything is stored", async (_what, wrong) => {
    const before = await jobsOf(send);
    await expect(queue.enqueue(database.db, send, wrong as { app: string })).rejects.toThrow(z.ZodError);
    await expect(queue.enqueueMany(database.db, send, [{ app: "ok" }, wrong as { app: string }])).rejects.toThrow(
      z.ZodError,
    );
    expect(await jobsOf(send)).toEqual(before);
  });

  it("can be for later", async () => {
    const startAfter = new Date(Date.now() + 3_600_000);
    const id = await queue.enqueue(database.db, send, { app: "later" }, { startAfter });
    const stored = (await jobsOf(send)).find((row) => row.id === id);
    expect(stored?.start_after).toEqual(startAfter);
  });

  it("works the same for a queue with a table of its own", async () => {
    const id = await queue.enqueue(database.db, busy, { app: "shop" });
    expect((await jobsOf(busy)).map((row) => row.id)).toEqual([id]);
  });

  it("can be taken back", async () => {
    const id = await queue.enqueue(database.db, send, { app: "undo" });
    await queue.cancel(database.db, send, id);
    expect((await jobsOf(send)).find((row) => row.id === id)?.state).toBe("cancelled");
  });

  it("of a queue that no migration made is refused", async () => {
    const unknown = defineJob({ name: "test.unknown", data, retry, timeoutSeconds: 10 });
    await expect(queue.enqueue(database.db, unknown, { app: "shop" })).rejects.toThrow("test.unknown");
  });
});

describe("a job of which there may be one at all", () => {
  it("is refused a second time for its key, in words or with undefined, as the caller wants it", async () => {
    const first = await queue.enqueue(database.db, deploy, { app: "one" });
    await expect(queue.enqueue(database.db, deploy, { app: "one" })).rejects.toThrow(new JobRefused("test.deploy"));
    expect(await queue.enqueueUnlessPresent(database.db, deploy, { app: "one" })).toBeUndefined();
    const other = await queue.enqueueUnlessPresent(database.db, deploy, { app: "two" });
    expect((await jobsOf(deploy)).map((row) => row.id).toSorted()).toEqual([first, other].toSorted());
  });

  it("leaves the transaction usable when it is refused", async () => {
    await database.db.transaction().execute(async (tx) => {
      expect(await queue.enqueueUnlessPresent(tx, deploy, { app: "one" })).toBeUndefined();
      await queue.enqueue(tx, send, { app: "instead" });
    });
    expect(await appsOf(send)).toContain("instead");
  });

  it("counts for the whole queue where it has no key", async () => {
    await queue.enqueue(database.db, sweep, { app: "one" });
    expect(await queue.enqueueUnlessPresent(database.db, sweep, { app: "two" })).toBeUndefined();
  });

  it("may be asked for again once the first was taken back", async () => {
    const id = await queue.enqueue(database.db, deploy, { app: "again" });
    await queue.cancel(database.db, deploy, id);
    expect(await queue.enqueue(database.db, deploy, { app: "again" })).not.toBe(id);
  });

  it("is asked for once by ten transactions that come at once", async () => {
    const asked = Array.from({ length: 10 }, () => queue.enqueueUnlessPresent(database.db, deploy, { app: "race" }));
    const ids = (await Promise.all(asked)).filter((id) => id !== undefined);
    expect(ids).toHaveLength(1);
  });
});

describe("asking for many jobs", () => {
  const nameOf = ({ name }: Error): string => name;
  const apps = (...names: string[]): { app: string }[] => names.map((app) => ({ app }));

  it("gives as many ids as jobs, and none for none", async () => {
    const ids = await queue.enqueueMany(database.db, busy, apps("a", "b", "c"));
    expect(new Set(ids).size).toBe(3);
    expect(await appsOf(busy)).toEqual(expect.arrayContaining(["a", "b", "c"]));
    expect(await queue.enqueueMany(database.db, busy, [])).toEqual([]);
  });

  it.each<[string, (ask: (tx: AnyDb) => Promise<unknown>) => Promise<unknown>]>([
    ["whose transaction is rolled back by the refusal", (ask) => database.db.transaction().execute(ask).catch(nameOf)],
    ["who catches the refusal and goes on", (ask) => database.db.transaction().execute((tx) => ask(tx).catch(nameOf))],
    ["without a transaction", (ask) => ask(database.db).catch(nameOf)],
  ])("gives all or none to a caller %s", async (_who, call) => {
    await queue.enqueueUnlessPresent(database.db, deploy, { app: "taken" });
    const before = await appsOf(deploy);
    expect(await call((tx) => queue.enqueueMany(tx, deploy, apps("new-1", "taken", "new-2")))).toBe("JobRefused");
    expect(await appsOf(deploy)).toEqual(before);
  });

  it("is refused when two of them have the same key", async () => {
    const before = await appsOf(deploy);
    await expect(queue.enqueueMany(database.db, deploy, apps("twin", "twin"))).rejects.toThrow(JobRefused);
    expect(await appsOf(deploy)).toEqual(before);
  });
});

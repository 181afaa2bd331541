import { type JobEngine, openJobEngine } from "@svc/platform/jobs";
import { waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "./databases/create-database.ts";
import { type DatabaseOf, resumeDatabaseJob, sweepDatabasesJob } from "./databases/database-jobs.ts";
import { DatabaseNotReadyYet, type DatabaseProvider } from "./databases/database-provider.ts";
import { deleteDatabase } from "./databases/delete-database.ts";
import { getDatabase } from "./databases/get-database.ts";
import { rotateCredentials } from "./databases/rotate-credentials.ts";
import { runDataSourcesJobs } from "./jobs.ts";
import { createDatabasesFixture, type DatabasesFixture, type TestOrg } from "./testing/databases-fixture.ts";
import { authorIn } from "./testing/author-in.ts";

let fixture: DatabasesFixture;
let engine: JobEngine;
let org: TestOrg;
/** In the provider's place where a test puts something there. */
let ensure: DatabaseProvider["ensure"] | undefined;

beforeAll(async () => {
  fixture = await createDatabasesFixture();
  org = fixture.createOrg();
  const { log } = fixture.context;
  engine = await openJobEngine({ url: fixture.url, log });
  const provider: DatabaseProvider = {
    ...fixture.provider,
    ensure: (desired) => (ensure ?? fixture.provider.ensure)(desired),
  };
  await runDataSourcesJobs(engine, { db: fixture.db, keyring: fixture.keyring, provider, log });
});
afterAll(async () => {
  await engine?.close(1_000);
  await fixture?.close();
});

const create = (name: string) => createDatabase(fixture.context, authorIn(org.id), { name, data_source: true });
const get = (name: string) => getDatabase(fixture.context, org.id, name);
const isReady = async (name: string): Promise<boolean> => (await get(name)).status === "ready";

async function jobsOf({ database_id }: DatabaseOf, name: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state::text from pgboss.job
    where name = ${name} and data->'data'->>'database_id' = ${database_id}`.execute(fixture.db);
  return rows.map(({ state }) => state);
}

describe("a worker", () => {
  it("makes what was asked for, rotates it and removes it in the end", async () => {
    await create("whole");
    await waitUntil(() => isReady("whole"));
    const of = await fixture.databaseOf(org, "whole");
    const pending = async (): Promise<number> => {
      const { rows } = await sql`select from data_sources.databases
        where id = ${of.database_id} and next_owner_secret is not null`.execute(fixture.db);
      return rows.length;
    };
    await rotateCredentials(fixture.context, authorIn(org.id), "whole");
    expect(await pending()).toBe(1);
    await waitUntil(async () => (await pending()) === 0);
    await deleteDatabase({ ...fixture.context, deletionGraceDays: 0 }, authorIn(org.id), "whole");
    await waitUntil(() =>
      get("whole").then(
        () => false,
        ({ code }) => code === "NOT_FOUND",
      ),
    );
  });

  it("loses no change that comes while it is at work", async () => {
    const [working, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    ensure = async (desired) => {
      working.resolve();
      await release.promise;
      return fixture.provider.ensure(desired);
    };
    await create("busy");
    await working.promise;
    ensure = undefined;
    const of = await fixture.databaseOf(org, "busy");
    await deleteDatabase(fixture.context, authorIn(org.id), "busy");
    release.resolve();
    const isClosed = async (): Promise<boolean> => {
      const states = await jobsOf(of, "data_sources.reconcile_database");
      return states.filter((state) => state === "completed").length === 2;
    };
    await waitUntil(isClosed);
    // The third is for the day the grace period is over.
    expect((await jobsOf(of, "data_sources.reconcile_database")).toSorted()).toEqual([
      "completed",
      "completed",
      "created",
    ]);
    expect(await get("busy")).toMatchObject({ status: "deleting" });
  });

  it("looks again at what is not ready yet, and takes that for no failure", async () => {
    let looks = 0;
    ensure = async (desired) => {
      looks += 1;
      if (looks < 3) throw new DatabaseNotReadyYet(0);
      ensure = undefined;
      return fixture.provider.ensure(desired);
    };
    await create("later");
    await waitUntil(() => isReady("later"));
    expect(looks).toBe(3);
    const states = await jobsOf(await fixture.databaseOf(org, "later"), "data_sources.reconcile_database");
    expect(states.every((state) => state === "completed" || state === "active")).toBe(true);
    expect(fixture.lines.filter((line) => JSON.stringify(line).includes("not ready yet"))).toEqual([]);
  });

  it("tries again where the server failed", async () => {
    let attempts = 0;
    ensure = async (desired) => {
      attempts += 1;
      if (attempts > 1) return fixture.provider.ensure(desired);
      throw new Error("the server is away");
    };
    await create("second");
    await waitUntil(() => isReady("second"), 15_000);
    expect(attempts).toBeGreaterThanOrEqual(2);
    ensure = undefined;
  });
});

describe("the sweep", () => {
  /** A database whose job got lost. */
  async function createLost(name: string): Promise<DatabaseOf> {
    const jobs = { ...fixture.context.jobs, enqueue: async () => "" };
    await createDatabase({ ...fixture.context, jobs }, authorIn(org.id), { name, data_source: true });
    return fixture.databaseOf(org, name);
  }

  async function sweepsUntil(isEnough: () => Promise<boolean>): Promise<void> {
    await waitUntil(async () => {
      await engine.enqueueUnlessPresent(fixture.db, sweepDatabasesJob, {});
      return isEnough();
    });
  }

  it("resumes what no job is left for", async () => {
    await createLost("lost");
    await sweepsUntil(() => isReady("lost"));
    expect(await get("lost")).toMatchObject({ status: "ready" });
  });

  it("has one job for each, however often it sweeps while the server fails", async () => {
    ensure = async () => {
      throw new Error("the server is away");
    };
    const of = await createLost("failing");
    const sweeps = async (): Promise<number> => {
      const { rows } = await sql`select from pgboss.job
        where name = ${sweepDatabasesJob.name} and state = 'completed'`.execute(fixture.db);
      return rows.length;
    };
    const before = await sweeps();
    await sweepsUntil(async () => (await sweeps()) >= before + 3);
    expect(await jobsOf(of, resumeDatabaseJob.name)).toHaveLength(1);
    ensure = undefined;
  });

  it("is scheduled", async () => {
    const { rows } = await sql<{ name: string; cron: string }>`select name, cron from pgboss.schedule`.execute(
      fixture.db,
    );
    expect(rows).toEqual([{ name: sweepDatabasesJob.name, cron: "*/3 * * * *" }]);
  });
});

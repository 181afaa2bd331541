import { open } from "@svc/platform/secrets";
import { waitUntil } from "@svc/platform/testing";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatabaseRow, lockDatabaseRow } from "../queries/databases.ts";
import { createDatabasesFixture, type DatabasesFixture, type TestOrg } from "../testing/databases-fixture.ts";
import { secretContext } from "./connect.ts";
import { createDatabase } from "./create-database.ts";
import type { DatabaseOf } from "./database-jobs.ts";
import type { DatabaseProvider } from "./database-provider.ts";
import { deleteDatabase } from "./delete-database.ts";
import { getConnection } from "./get-connection.ts";
import { physicalNamesOf } from "./physical-names.ts";
import { reconcileDatabase } from "./reconcile-database.ts";
import { restoreDatabase } from "./restore-database.ts";
import { rotateCredentials } from "./rotate-credentials.ts";
import { authorIn } from "../testing/author-in.ts";

let fixture: DatabasesFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createDatabasesFixture();
  org = fixture.createOrg();
});
afterAll(() => fixture?.close());

let count = 0;

/** A new database of which only the row is there. */
async function asked(): Promise<{ name: string; of: DatabaseOf }> {
  const name = `notes_${(count += 1)}`;
  await createDatabase(fixture.context, authorIn(org.id), { name, data_source: true });
  return { name, of: await fixture.databaseOf(org, name) };
}

async function made(): Promise<{ name: string; of: DatabaseOf }> {
  const database = await asked();
  await fixture.reconcile(database.of);
  return database;
}

async function rowOf(of: DatabaseOf): Promise<DatabaseRow> {
  const row = await lockDatabaseRow(fixture.db, org.id, { id: of.database_id });
  if (!row) throw new Error("the row is gone");
  return row;
}

async function connect(connectionString: string, statement = "select 1 as one"): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const connectionOf = async (name: string): Promise<string> =>
  (await getConnection(fixture.context, authorIn(org.id), name)).connection_string;

async function isOnServer({ database_id }: DatabaseOf): Promise<boolean> {
  const { database } = physicalNamesOf(database_id);
  const { rows } = await sql`select from pg_database where datname = ${database}`.execute(fixture.db);
  return rows.length > 0;
}

/** The real one, and something that happens before or after it has done its work. */
function withMoments(moments: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }): DatabaseProvider {
  return {
    ...fixture.provider,
    ensure: async (desired) => {
      const { before, after } = moments;
      delete moments.before;
      await before?.();
      const address = await fixture.provider.ensure(desired);
      delete moments.after;
      await after?.();
      return address;
    },
  };
}

const dies = async (): Promise<never> => {
  throw new Error("the worker died here");
};

describe("reconciling", () => {
  it("makes what a row asks for, and says that it is ready", async () => {
    const { name, of } = await asked();
    expect(await rowOf(of)).toMatchObject({ status: "creating", address: null });
    await fixture.reconcile(of);
    expect(await rowOf(of)).toMatchObject({ status: "ready", address: { host: "127.0.0.1", tls: false } });
    expect(await connect(await connectionOf(name))).toEqual([{ one: 1 }]);
  });

  it("a second time changes nothing, not even the time of the last change", async () => {
    const { name, of } = await made();
    const [row, connection] = [await rowOf(of), await connectionOf(name)];
    await fixture.reconcile(of);
    expect(await rowOf(of)).toEqual(row);
    expect(await connect(connection)).toEqual([{ one: 1 }]);
  });

  it("that died after the work and before its note is made good by the next attempt", async () => {
    const { name, of } = await asked();
    await expect(fixture.reconcile(of, withMoments({ after: dies }))).rejects.toThrow("died here");
    expect(await rowOf(of)).toMatchObject({ status: "creating", address: null });
    await fixture.reconcile(of);
    expect(await connect(await connectionOf(name))).toEqual([{ one: 1 }]);
  });

  it("does again what was changed while it was at work", async () => {
    const { name, of } = await asked();
    const provider = withMoments({ after: () => deleteDatabase(fixture.context, authorIn(org.id), name) });
    await fixture.reconcile(of, provider);
    const row = await rowOf(of);
    expect(row).toMatchObject({ status: "deleting", address: null });
    await expect(connect(stringOf(row))).rejects.toMatchObject({ code: "28000" });
  });

  it("of a database whose row is gone leaves nothing of it", async () => {
    const { of } = await made();
    const gone = async (): Promise<void> => {
      await sql`delete from data_sources.databases where id = ${of.database_id}`.execute(fixture.db);
    };
    await fixture.reconcile(of, withMoments({ after: gone }));
    expect(await isOnServer(of)).toBe(false);
  });

  it("does not begin where another worker has taken over", async () => {
    const { of } = await asked();
    const attempt = reconcileDatabase({ ...fixture, signal: AbortSignal.abort(new Error("taken over")) }, of);
    await expect(attempt).rejects.toThrow("taken over");
    expect(await isOnServer(of)).toBe(false);
  });
});

function stringOf(row: DatabaseRow): string {
  const { database, ownerRole } = physicalNamesOf(row.id);
  const password = open(fixture.keyring, row.owner_secret, secretContext(row.id, "owner"));
  const { hostname, port } = new URL(fixture.url);
  return `postgres://${ownerRole}:${password}@${hostname}:${port}/${database}`;
}

describe("a rotation", () => {
  it("ends in new passwords: the old is refused, the new one works", async () => {
    const { name, of } = await made();
    const old = await connectionOf(name);
    await rotateCredentials(fixture.context, authorIn(org.id), name);
    await expect(connectionOf(name)).rejects.toMatchObject({ code: "CONFLICT", retryAfterSeconds: 2 });
    await fixture.reconcile(of);
    await expect(connect(old)).rejects.toMatchObject({ code: "28P01" });
    expect(await connect(await connectionOf(name))).toEqual([{ one: 1 }]);
    expect(await rowOf(of)).toMatchObject({ next_owner_secret: null, next_reader_secret: null });
  });

  it.each<[string, object]>([
    ["before the server has them", { before: dies }],
    ["after the server has them", { after: dies }],
  ])("that died %s is ended by the next attempt", async (_when, moments) => {
    const { name, of } = await made();
    const old = await connectionOf(name);
    await rotateCredentials(fixture.context, authorIn(org.id), name);
    await expect(fixture.reconcile(of, withMoments(moments))).rejects.toThrow("died here");
    await fixture.reconcile(of);
    await expect(connect(old)).rejects.toMatchObject({ code: "28P01" });
    expect(await connect(await connectionOf(name))).toEqual([{ one: 1 }]);
  });

  it("is not undone by a worker that was frozen since before it", async () => {
    const { name, of } = await made();
    const rotateMeanwhile = async (): Promise<void> => {
      await rotateCredentials(fixture.context, authorIn(org.id), name);
      await fixture.reconcile(of);
    };
    // It read the old passwords, then someone else finished the rotation, then it goes on with what it read.
    await fixture.reconcile(of, withMoments({ before: rotateMeanwhile }));
    expect(await connect(await connectionOf(name))).toEqual([{ one: 1 }]);
  });
});

describe("a deletion", () => {
  it("closes, keeps the data, and is taken back by restoring", async () => {
    const { name, of } = await made();
    const connection = await connectionOf(name);
    await connect(connection, "create table kept as select 7 as id");
    await deleteDatabase(fixture.context, authorIn(org.id), name);
    await fixture.reconcile(of);
    await expect(connect(connection)).rejects.toMatchObject({ code: "28000" });
    expect(await rowOf(of)).toMatchObject({ status: "deleting", address: null });

    expect(await restoreDatabase(fixture.context, authorIn(org.id), name)).toMatchObject({
      status: "creating",
      data_source: false,
      delete_after: null,
    });
    await fixture.reconcile(of);
    expect(await connect(connection, "select id from kept")).toEqual([{ id: 7 }]);
    expect(await rowOf(of)).toMatchObject({ status: "ready", data_source: false });
  });

  it("whose time is over takes database, row and source, and frees the name", async () => {
    const { name, of } = await made();
    await deleteDatabase({ ...fixture.context, deletionGraceDays: 0 }, authorIn(org.id), name);
    await expect(restoreDatabase(fixture.context, authorIn(org.id), name)).rejects.toMatchObject({ code: "CONFLICT" });
    await fixture.reconcile(of);
    expect(await isOnServer(of)).toBe(false);
    await expect(rowOf(of)).rejects.toThrow("gone");
    const sources = await sql`select from data_sources.sources where database_name = ${name}`.execute(fixture.db);
    expect(sources.rows).toEqual([]);
    const trail = await sql`
      select action, actor_kind from data_sources.audit where target_name = ${name} order by id desc limit 1`.execute(
      fixture.db,
    );
    expect(trail.rows).toEqual([{ action: "database.removed", actor_kind: "system" }]);
    await createDatabase(fixture.context, authorIn(org.id), { name, data_source: true });
    expect((await fixture.databaseOf(org, name)).database_id).not.toBe(of.database_id);
  });

  it("that died between database and row is ended by the next attempt", async () => {
    const { name, of } = await made();
    await deleteDatabase({ ...fixture.context, deletionGraceDays: 0 }, authorIn(org.id), name);
    const drop: DatabaseProvider["drop"] = async (names) => {
      await fixture.provider.drop(names);
      await dies();
    };
    await expect(fixture.reconcile(of, { ...fixture.provider, drop })).rejects.toThrow("died here");
    expect((await rowOf(of)).status).toBe("deleting");
    await fixture.reconcile(of);
    await expect(rowOf(of)).rejects.toThrow("gone");
  });

  it("that is being taken back when its time is over waits, and leaves the data", async () => {
    const { name, of } = await made();
    await deleteDatabase(fixture.context, authorIn(org.id), name);
    await sql`update data_sources.databases set delete_after = clock_timestamp() + interval '300 ms'
               where id = ${of.database_id}`.execute(fixture.db);
    const { jobs } = fixture.context;
    let removing: Promise<void> | undefined;
    const enqueue: typeof jobs.enqueue = async (...job) => {
      // Here the restoring has seen that it is in time, and has not committed yet.
      await waitUntil(() =>
        isTrue(sql`select delete_after < clock_timestamp() as is from data_sources.databases
                                        where id = ${of.database_id}`),
      );
      removing = fixture.reconcile(of);
      await waitUntil(() =>
        isTrue(sql`select count(*) > 0 as is from pg_stat_activity
                                        where datname = current_database() and wait_event_type = 'Lock'`),
      );
      return jobs.enqueue(...job);
    };
    await restoreDatabase({ ...fixture.context, jobs: { ...jobs, enqueue } }, authorIn(org.id), name);
    await removing;
    expect((await rowOf(of)).status).toBe("ready");
    expect(await isOnServer(of)).toBe(true);
  });

  async function isTrue(query: ReturnType<typeof sql>): Promise<boolean> {
    const { rows } = await query.execute(fixture.db);
    return (rows[0] as { is: boolean }).is;
  }
});

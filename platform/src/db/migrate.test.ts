import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  COMPILE_CACHE,
  createEmptyDatabase,
  servicesUnderTest,
  silentLogger,
  temporaryMigrations,
  type TestDatabase,
} from "../testing/index.ts";
import { databaseReadiness } from "./database-readiness.ts";
import { migrate, type MigrationSet, pendingMigrations } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";
import { platformMigrations } from "./platform-migrations.ts";

const ROOT = new URL("../../../", import.meta.url);
let database: TestDatabase;
let owner: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

async function rowsOf(statement: string): Promise<unknown[]> {
  return (await owner.query(statement)).rows;
}

const tablesIn = (schema: string): Promise<unknown[]> =>
  rowsOf(`select tablename from pg_tables where schemaname = '${schema}' and tablename !~ '^migrations' order by 1`);

describe("migrations", () => {
  it("are applied exactly once when ten processes start at the same time on an empty database", async () => {
    const entry = fileURLToPath(new URL("services/worker/src/migrate.ts", ROOT));
    const env = { PATH: process.env["PATH"], ...COMPILE_CACHE, MIGRATION_DATABASE_URL: database.url };
    const outputs = await Promise.all(
      Array.from({ length: 10 }, () =>
        promisify(execFile)(process.execPath, ["--conditions=svc-source", entry], { env }),
      ),
    );
    const said = outputs.map(({ stdout }) => stdout.trim());
    expect(said.filter((line) => line.startsWith("worker migrate: applied platform/0001_"))).toHaveLength(1);
    expect(said.filter((line) => line === "worker migrate: nothing to do")).toHaveLength(9);

    for (const schema of ["platform", "data_sources", "apps", "maintenance", "notifications"]) {
      const history = await rowsOf(`select name from ${schema}.migrations`);
      expect(history.length).toBeGreaterThan(0);
      expect(new Set(history.map((row) => JSON.stringify(row))).size).toBe(history.length);
    }
    expect(await rowsOf("select count(*)::integer as count from pgboss.version")).toEqual([{ count: 1 }]);
  }, 60_000);

  it("that fail leave nothing behind, name the file, and succeed once it is mended", async () => {
    const files = {
      "0001_good.sql": "create table shop.good (id int)",
      "0002_bad.sql": "create table shop.bad (id nope)",
    };
    const sets = [platformMigrations, temporaryMigrations("shop", files)];
    await expect(migrate({ url: database.url, sets, roles: [] })).rejects.toThrow(
      expect.objectContaining({
        message: "migration shop/0002_bad failed and was rolled back",
        cause: expect.objectContaining({ message: 'type "nope" does not exist' }),
      }),
    );
    expect(await tablesIn("shop")).toEqual([]);
    expect(await rowsOf("select name from shop.migrations")).toEqual([]);

    const mended = [
      platformMigrations,
      temporaryMigrations("shop", { ...files, "0002_bad.sql": "create table shop.bad (id int)" }),
    ];
    const { applied } = await migrate({ url: database.url, sets: mended, roles: [] });
    expect(applied).toEqual(["shop/0001_good", "shop/0002_bad"]);
    expect(await tablesIn("shop")).toEqual([{ tablename: "bad" }, { tablename: "good" }]);
  });

  it("are listed as pending until they were applied, and a service is not ready before", async () => {
    const { db, state, close } = openDatabase<unknown>({ url: database.url, name: "test", log: silentLogger() });
    const first = temporaryMigrations("shop", {
      "0001_one.sql": "create table shop.one (id int)",
      "readme.txt": "not SQL",
    });
    const ready = databaseReadiness({ db, state }, [first]);
    expect(await pendingMigrations(db, [first])).toEqual(["shop/0001_one"]);
    expect(await ready()).toEqual({ state: "down", detail: "run the migrations first: shop/0001_one" });

    await migrate({ url: database.url, sets: [platformMigrations, first], roles: [] });
    expect(await pendingMigrations(db, [platformMigrations, first])).toEqual([]);
    expect(await ready()).toEqual({ state: "up", detail: "reachable and migrated" });

    const second = temporaryMigrations("shop", {
      "0001_one.sql": "",
      "0002_two.sql": "create table shop.two (id int)",
    });
    expect(await pendingMigrations(db, [second])).toEqual(["shop/0002_two"]);
    await close();
    expect(await ready()).toEqual({ state: "down", detail: "the database does not answer" });
  });
});

describe("the role of a service", () => {
  const role = `test_${randomBytes(6).toString("hex")}`;
  const password = "it's a \\ password";
  const outbox = (schema: string): MigrationSet =>
    temporaryMigrations(schema, { "0001_outbox.sql": `select platform.create_outbox('${schema}')` });

  afterAll(async () => {
    const admin = new pg.Client({ connectionString: servicesUnderTest().postgresAdminUrl });
    await admin.connect();
    await admin.query(`drop role if exists ${role}`);
    await admin.end();
  });

  async function logIn(secret: string, to = database): Promise<pg.Client> {
    const url = new URL(to.url);
    const client = new pg.Client({
      host: url.hostname,
      port: Number(url.port),
      user: role,
      password: secret,
      database: url.pathname.slice(1),
    });
    await client.connect();
    return client;
  }

  it("sees its own schemas and no other, and can change no history and make no table", async () => {
    const sets = [platformMigrations, outbox("apps"), outbox("identity")];
    await migrate({ url: database.url, sets, roles: [{ name: role, schemas: ["apps"], password }] });
    const service = await logIn(password);

    const allowed = [
      "insert into apps.outbox values (gen_random_uuid(), gen_random_uuid(), 't', '{}', '{}', now())",
      "update apps.outbox set type = 'u'",
      "select * from apps.outbox",
      "delete from apps.outbox",
      "select name from apps.migrations",
      "select name from platform.migrations",
      "select * from platform.maintain_daily_partitions(1)",
    ];
    for (const statement of allowed) await service.query(statement);

    const refused = [
      "select * from identity.outbox",
      "insert into identity.outbox values (gen_random_uuid(), gen_random_uuid(), 't', '{}', '{}', now())",
      "insert into apps.migrations values ('9999_mine', 'now')",
      "update apps.migrations set name = 'other'",
      "delete from apps.migrations",
      "delete from apps.migrations_lock",
      "delete from platform.migrations",
      "insert into platform.daily_partitioned values ('identity', 'outbox', 1)",
      "truncate apps.outbox",
      "drop table apps.outbox",
      "create table apps.mine (id int)",
      "create table public.mine (id int)",
      "create table platform.mine (id int)",
      "create schema mine",
      "create temporary table mine (id int)",
    ];
    for (const statement of refused) {
      await expect(service.query(statement)).rejects.toMatchObject({
        message: expect.stringMatching(/permission denied|must be owner/),
      });
    }
    await service.end();
  });

  it("cannot even connect to a database of the same server that is not its own", async () => {
    const roles = [{ name: role, schemas: [], password }];
    await migrate({ url: database.url, sets: [platformMigrations], roles });
    await (await logIn(password)).end();
    const other = await createEmptyDatabase();
    try {
      await migrate({ url: other.url, sets: [platformMigrations], roles: [] });
      await expect(logIn(password, other)).rejects.toThrow("permission denied for database");
    } finally {
      await other.drop();
    }
  });

  it("gets the password of the latest migration", async () => {
    const sets = [platformMigrations];
    await migrate({ url: database.url, sets, roles: [{ name: role, schemas: [], password }] });
    await migrate({ url: database.url, sets, roles: [{ name: role, schemas: [], password: "a new one" }] });
    await expect(logIn(password)).rejects.toMatchObject({ code: "28P01" });
    await (await logIn("a new one")).end();
    // Without a password the role stays as it is.
    await migrate({ url: database.url, sets, roles: [{ name: role, schemas: [] }] });
    await (await logIn("a new one")).end();
  });

  it("can be made by migrations of several databases of one server at the same time", async () => {
    const name = `${role}_many`;
    const many = await Promise.all(Array.from({ length: 8 }, createEmptyDatabase));
    try {
      const roles = [{ name, schemas: [], password }];
      const results = await Promise.allSettled(
        many.map(({ url }) => migrate({ url, sets: [platformMigrations], roles })),
      );
      expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    } finally {
      await Promise.all(many.map((one) => one.drop()));
      await owner.query(`drop role if exists ${name}`);
    }
  });
});

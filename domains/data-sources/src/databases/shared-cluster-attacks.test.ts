import { randomBytes } from "node:crypto";
import { createEmptyDatabase, waitUntil } from "@svc/platform/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClusterFixture, type Wanted, withNewPasswords } from "../testing/shared-cluster-fixture.ts";
import { sharedCluster } from "./shared-cluster.ts";

const { adminUrl, provider, want, asRole, query, asServerAdmin, close } = createClusterFixture();
const NOT_ALLOWED = { code: "42501" };

let mine: Wanted;
let theirs: Wanted;

beforeAll(async () => {
  [mine, theirs] = [want(), want()];
  await provider.ensure(mine);
  await provider.ensure(theirs);
  await query(
    mine,
    "owner",
    "create table notes as select 1 as id, 'a' as body, 'hidden' as secret",
    `grant select (id, body) on notes to ${mine.reader.role}`,
  );
});
afterAll(close);

describe("a role of one database", () => {
  it.each([
    ["another managed database", () => theirs.database],
    ["the server's own database", () => "postgres"],
    ["the template of new databases", () => "template1"],
  ])("cannot enter %s", async (_what, database) => {
    for (const role of ["owner", "reader"] as const) {
      await expect(asRole(mine, role, async () => undefined, database())).rejects.toMatchObject(NOT_ALLOWED);
    }
  });

  it("cannot enter a database that appeared since, once it was looked for", async () => {
    const platform = await createEmptyDatabase();
    const database = new URL(platform.url).pathname.slice(1);
    expect(await provider.closeToStrangers()).not.toContain(database);
    await expect(asRole(mine, "owner", async () => undefined, database)).rejects.toMatchObject(NOT_ALLOWED);
    await platform.drop();
  });

  it("cannot enter a database between its making and its closing", async () => {
    const wanted = want();
    await asServerAdmin(`create role ${wanted.owner.role}`);
    await asServerAdmin(`create database ${wanted.database} owner ${wanted.owner.role} connection limit 0`);
    // Whichever check comes first: the server says either that there is no room or that it is not allowed.
    await expect(asRole(mine, "owner", async () => undefined, wanted.database)).rejects.toMatchObject({
      code: expect.stringMatching("53300|42501"),
    });
  });
});

describe("the reader", () => {
  it("reads what it was granted", async () => {
    expect(await query(mine, "reader", "select id, body from public.notes")).toEqual([[1, "a"]]);
  });

  it.each([
    "select secret from public.notes",
    "select * from public.notes",
    "select notes from public.notes",
    "insert into public.notes (id) values (2)",
    "update public.notes set body = 'b'",
    "delete from public.notes",
    "truncate public.notes",
    "create table public.own (id int)",
    "create schema own",
    "create temporary table own (id int)",
    "create extension pgcrypto",
    "select lo_create(0)",
    "select lo_creat(-1)",
    "select lo_from_bytea(0, 'x')",
    "select lo_import('/etc/hostname')",
    "select pg_read_file('/etc/hostname')",
    "copy public.notes to program 'true'",
    "copy public.notes (id) from program 'true'",
    "select rolpassword from pg_authid",
    "set session_replication_role = replica",
  ])("cannot, even without its habits: %s", async (statement) => {
    const attempt = query(mine, "reader", "set default_transaction_read_only = off", statement);
    await expect(attempt).rejects.toMatchObject(NOT_ALLOWED);
  });
});

describe("the owner", () => {
  it.each([
    () => `alter role ${mine.owner.role} superuser`,
    () => `alter role ${mine.owner.role} createrole`,
    () => `alter role ${mine.owner.role} createdb`,
    () => `alter role ${mine.owner.role} bypassrls`,
    () => `alter role ${mine.owner.role} connection limit -1`,
    () => `alter role ${mine.reader.role} superuser`,
    () => `alter role ${mine.reader.role} password 'known'`,
    () => `alter role ${mine.reader.role} set default_transaction_read_only = off`,
    () => `alter role ${theirs.owner.role} password 'known'`,
    () => `alter role ${mine.reader.role} rename to other`,
    () => `drop role ${mine.reader.role}`,
    () => `set role ${theirs.owner.role}`,
    () => `set role ${mine.reader.role}`,
    () => `set role postgres`,
    () => `grant ${mine.owner.role} to ${mine.reader.role}`,
    () => `grant ${mine.owner.role} to ${theirs.owner.role}`,
    () => `grant ${theirs.owner.role} to ${mine.owner.role}`,
    () => `grant pg_read_server_files to ${mine.owner.role}`,
    () => `grant connect on database ${theirs.database} to ${mine.owner.role}`,
    () => `alter database ${theirs.database} connection limit 0`,
    () => `drop database ${theirs.database}`,
    () => `alter database ${mine.database} rename to other`,
    () => `alter database ${mine.database} owner to ${theirs.owner.role}`,
    () => "create role other",
    () => "create database other",
    () => "select rolpassword from pg_authid",
    () => "select pg_read_file('/etc/hostname')",
    () => "copy notes to program 'true'",
    () => "create extension file_fdw",
    () => "alter system set ssl = off",
    () => "load 'pg_stat_statements'",
    () => "create function f() returns int language c as 'x', 'y'",
    () => "create subscription s connection 'host=x' publication p with (connect = false)",
    () => "create event trigger t on ddl_command_start execute function f()",
  ])("cannot: %s", async (statement) => {
    await expect(query(mine, "owner", statement())).rejects.toMatchObject(NOT_ALLOWED);
  });

  it("sees of others' sessions neither words nor addresses", async () => {
    const seen = await asRole(theirs, "owner", async (client) => {
      await client.query("select 'private words'");
      return query(mine, "owner", "select query, client_addr from pg_stat_activity where usename <> current_user");
    });
    expect(JSON.stringify(seen)).not.toContain("private words");
    expect(seen).toContainEqual(["<insufficient privilege>", null]);
  });

  it("cannot have the administrator run its functions, whatever it sets for its database", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    await query(
      wanted,
      "owner",
      "create schema evil",
      `create function evil.pg_terminate_backend(int, bigint) returns bool language sql
         as 'alter role ${wanted.owner.role} superuser; select true'`,
      `alter database ${wanted.database} set search_path = evil, pg_catalog`,
      "drop schema public cascade",
    );
    await provider.ensure(withNewPasswords(wanted));
    await provider.ensure({ ...wanted, open: false });
    await provider.ensure(wanted);
    const [role] = await asServerAdmin<{ rolsuper: boolean }>(
      `select rolsuper from pg_roles where rolname = '${wanted.owner.role}'`,
    );
    expect(role).toEqual({ rolsuper: false });
  });

  it("who opened its database to all finds it closed again", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    await query(wanted, "owner", `grant connect on database ${wanted.database} to public`);
    await provider.closeToStrangers();
    await expect(asRole(mine, "owner", async () => undefined, wanted.database)).rejects.toMatchObject(NOT_ALLOWED);
  });
});

describe("an administrator that is no superuser", () => {
  const role = `test_admin_${randomBytes(4).toString("hex")}`;
  const url = new URL(adminUrl);
  url.username = role;
  url.password = "admin";
  const limited = sharedCluster({ adminUrl: url.href, connectionLimit: 4 });

  beforeAll(async () => {
    await asServerAdmin(`create role ${role} login createdb createrole password 'admin'`);
    await asServerAdmin(`grant connect on database postgres to ${role}`);
  });
  afterAll(() => asServerAdmin(`drop owned by ${role}; drop role ${role}`));

  it("is told what it lacks, and does all the rest", async () => {
    const wanted = want();
    await expect(limited.ensure(wanted)).rejects.toThrow("may not create the extension vector");
    await expect(asRole(wanted, "owner", async () => undefined)).rejects.toMatchObject({ code: "28000" });
    await asServerAdmin("create extension vector", wanted.database);
    await limited.ensure(wanted);
    const next = withNewPasswords(wanted);
    await asRole(wanted, "owner", async (client) => {
      const ended = new Promise((resolve) => client.once("end", resolve));
      await limited.ensure(next);
      await ended;
    });
    expect(await query(next, "reader", "select current_setting('hnsw.ef_search')")).toEqual([["200"]]);
    await limited.ensure({ ...next, open: false });
    await expect(asRole(next, "owner", async () => undefined)).rejects.toMatchObject({ code: "28000" });
    await limited.drop(wanted.names);
    expect(await asServerAdmin(`select from pg_roles where rolname like '${wanted.database}%'`)).toEqual([]);
  });

  it("names the databases that it may not close", async () => {
    const platform = await createEmptyDatabase();
    const database = new URL(platform.url).pathname.slice(1);
    // Again and again, because whoever runs tests beside this one closes it as a superuser.
    await waitUntil(async () => {
      await asServerAdmin(`grant connect on database ${database} to public`);
      return (await limited.closeToStrangers()).includes(database);
    });
    await provider.closeToStrangers();
    expect(await limited.closeToStrangers()).not.toContain(database);
    await platform.drop();
  });
});

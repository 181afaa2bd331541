import { once } from "node:events";
import { connect } from "node:net";
import { waitUntil } from "@svc/platform/testing";
import { afterAll, describe, expect, it } from "vitest";
import { createClusterFixture, type Wanted, withNewPasswords } from "../testing/shared-cluster-fixture.ts";
import type { PhysicalNames } from "./physical-names.ts";
import { sharedCluster } from "./shared-cluster.ts";

const { adminUrl, provider, want, asRole, query, asServerAdmin, close } = createClusterFixture();

afterAll(close);

/** All of the server's shared catalogs that know of it. Verifiers have a random salt, so passwords are left out. */
async function traces({ database, ownerRole, readerRole }: PhysicalNames): Promise<unknown> {
  const [found] = await asServerAdmin<{ databases: unknown; roles: unknown; settings: unknown }>(
    `select (select json_agg(d) from (select datname, datacl::text, datconnlimit, datallowconn from pg_database
               where datname = '${database}') d) as databases,
            (select json_agg(r order by rolname) from (select rolname, rolcanlogin, rolconnlimit, rolinherit, rolsuper
               from pg_roles where rolname in ('${ownerRole}', '${readerRole}')) r) as roles,
            (select json_agg(s) from (select setconfig from pg_db_role_setting
               join pg_roles on pg_roles.oid = setrole where rolname in ('${ownerRole}', '${readerRole}')) s) as settings`,
  );
  return found;
}

const NOTHING = { databases: null, roles: null, settings: null };

describe("a database on a shared server", () => {
  it("is there for its owner, with vectors in it, and for its reader", async () => {
    const wanted = want();
    const { hostname, port } = new URL(adminUrl);
    expect(await provider.ensure(wanted)).toEqual({ host: hostname, port: Number(port), tls: false });
    await query(
      wanted,
      "owner",
      "create table notes (id int, embedding vector(3))",
      "grant select (id) on notes to public",
    );
    expect(await query(wanted, "reader", "select id from public.notes")).toEqual([]);
    const settings = ["default_transaction_read_only", "statement_timeout", "hnsw.ef_search", "hnsw.iterative_scan"];
    const shown = settings.map((setting) => `current_setting('${setting}')`).join(", ");
    // Two statements: the extension's settings count from its first use on.
    const [values] = await query(wanted, "reader", "select '[1]'::public.vector", `select ${shown}`);
    expect(values).toEqual(["on", "30s", "200", "relaxed_order"]);
  });

  it("is the same after it was made twice", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    const once = await traces(wanted.names);
    await query(wanted, "owner", "create table kept (id int)");
    await provider.ensure(wanted);
    expect(await traces(wanted.names)).toEqual(once);
    expect(await query(wanted, "owner", "select * from kept")).toEqual([]);
  });

  it.each<[string, (wanted: Wanted) => Promise<unknown>]>([
    ["one role", ({ owner }) => asServerAdmin(`create role ${owner.role}`)],
    [
      "both roles",
      ({ owner, reader }) => asServerAdmin(`create role ${owner.role}; create role ${reader.role} nologin`),
    ],
    [
      "roles and a database that is empty and open to all",
      async ({ owner, reader, database }) => {
        await asServerAdmin(`create role ${owner.role} login; create role ${reader.role}`);
        await asServerAdmin(`create database ${database} owner ${owner.role}`);
      },
    ],
    [
      "a database with the extension and nothing else",
      async ({ owner, database }) => {
        await asServerAdmin(`create role ${owner.role}`);
        await asServerAdmin(`create database ${database} owner ${owner.role} connection limit 0`);
        await asServerAdmin("create extension vector", database);
      },
    ],
  ])("is finished from %s, and is then like any other", async (_what, leave) => {
    const [wanted, whole] = [want(), want()];
    await leave(wanted);
    await provider.ensure(wanted);
    await provider.ensure(whole);
    const text = JSON.stringify(await traces(wanted.names)).replaceAll(wanted.database, whole.database);
    expect(JSON.parse(text)).toEqual(await traces(whole.names));
    expect(await query(wanted, "owner", "select '[1,2]'::vector")).toHaveLength(1);
  });

  it("is made beside nine others at once", async () => {
    const all = Array.from({ length: 10 }, want);
    await Promise.all(all.map((wanted) => provider.ensure(wanted)));
    const answers = await Promise.all(all.map((wanted) => query(wanted, "owner", "select current_database()")));
    expect(answers).toEqual(all.map(({ database }) => [[database]]));
  });

  it("is made once by five who make the same at once", async () => {
    const wanted = want();
    await Promise.all(Array.from({ length: 5 }, () => provider.ensure(wanted)));
    expect(await query(wanted, "owner", "select current_database()")).toEqual([[wanted.database]]);
  });

  it("takes as many connections as each role may have", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    const two = asRole(wanted, "owner", () =>
      asRole(wanted, "owner", () =>
        expect(query(wanted, "owner", "select 1")).rejects.toMatchObject({ code: "53300" }),
      ),
    );
    await two;
    expect(await query(wanted, "reader", "select 1")).toEqual([[1]]);
  });
});

describe("new passwords", () => {
  it("replace the old ones, and end who came with them", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    await query(wanted, "owner", "create table kept (id int)");
    const next = withNewPasswords(wanted);
    await asRole(wanted, "owner", async (client) => {
      const ended = new Promise((resolve) => client.once("end", resolve));
      await provider.ensure(next);
      await ended;
      await expect(client.query("select 1")).rejects.toThrow();
    });
    for (const role of ["owner", "reader"] as const) {
      await expect(query(wanted, role, "select 1")).rejects.toMatchObject({ code: "28P01" });
    }
    expect(await query(next, "owner", "select * from kept")).toEqual([]);
    expect(await query(next, "reader", "select 1")).toEqual([[1]]);
  });

  it("that are the old ones end nobody", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    const answer = await asRole(wanted, "owner", async (client) => {
      await provider.ensure(wanted);
      return (await client.query({ text: "select 1", rowMode: "array" })).rows;
    });
    expect(answer).toEqual([[1]]);
  });

  it("never reach the server as they are", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    const [stored] = await asServerAdmin<{ password: string }>(
      `select rolpassword as password from pg_authid where rolname = '${wanted.owner.role}'`,
    );
    expect(stored?.password).toMatch(/^SCRAM-SHA-256\$4096:/);
    expect(stored?.password).not.toContain(wanted.owner.password);
  });
});

describe("a closed database", () => {
  it("lets nobody in, ends who is in, and has its data when it is opened again", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    await query(wanted, "owner", "create table kept as select 7 as id");
    await asRole(wanted, "owner", async (client) => {
      const ended = new Promise((resolve) => client.once("end", resolve));
      await provider.ensure({ ...wanted, open: false });
      await ended;
    });
    for (const role of ["owner", "reader"] as const) {
      await expect(query(wanted, role, "select 1")).rejects.toMatchObject({ code: "28000" });
    }
    await provider.ensure({ ...wanted, open: false });
    await provider.ensure(wanted);
    expect(await query(wanted, "owner", "select id from kept")).toEqual([[7]]);
  });

  it("that was closed before it was ever open can be opened", async () => {
    const wanted = want();
    await provider.ensure({ ...wanted, open: false });
    await expect(query(wanted, "owner", "select 1")).rejects.toMatchObject({ code: "28000" });
    await provider.ensure(wanted);
    expect(await query(wanted, "owner", "select '[1]'::vector")).toHaveLength(1);
  });
});

describe("a dropped database", () => {
  it("leaves nothing, while someone is connected and with grants elsewhere; and dropping nothing is fine", async () => {
    const [wanted, other] = [want(), want()];
    await provider.ensure(wanted);
    await provider.ensure(other);
    await asServerAdmin(`grant connect on database ${other.database} to ${wanted.owner.role}`);
    await asRole(wanted, "owner", async (client) => {
      await client.query("create table big (id int)");
      await provider.drop(wanted.names);
      await waitUntil(() =>
        client.query("select 1").then(
          () => false,
          () => true,
        ),
      );
    });
    expect(await traces(wanted.names)).toEqual(NOTHING);
    await provider.drop(wanted.names);
    expect(await query(other, "owner", "select 1")).toEqual([[1]]);
  });

  it("leaves nothing of what was half made", async () => {
    const wanted = want();
    await asServerAdmin(`create role ${wanted.reader.role}`);
    await provider.drop(wanted.names);
    expect(await traces(wanted.names)).toEqual(NOTHING);
  });

  it("goes even if its owner made it a template", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    await query(wanted, "owner", `alter database ${wanted.database} is_template true`);
    await provider.drop(wanted.names);
    expect(await traces(wanted.names)).toEqual(NOTHING);
  });
});

describe("a drop that was cut short", () => {
  it("is made good by the next, and is in nobody's way until then", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    await query(wanted, "owner", `grant connect on database ${wanted.database} to public`);
    await asServerAdmin(`update pg_database set datconnlimit = -2 where datname = '${wanted.database}'`);
    expect(await provider.closeToStrangers()).not.toContain(wanted.database);
    await provider.drop(wanted.names);
    expect(await traces(wanted.names)).toEqual(NOTHING);
  });

  it("because someone is slow to log in keeps no other database from being made", async () => {
    const [dropped, other] = [want(), want()];
    await provider.ensure(dropped);
    const { hostname, port } = new URL(adminUrl);
    const stranger = connect(Number(port), hostname);
    await once(stranger, "connect");
    // Asks to log in, is asked for a password, and says nothing more.
    stranger.write(startupMessage(dropped.owner.role, dropped.database));
    await once(stranger, "data");
    let isDropped = false;
    const dropping = provider.drop(dropped.names).then(() => (isDropped = true));
    await provider.ensure(other);
    expect(await query(other, "owner", "select 1")).toEqual([[1]]);
    expect(isDropped).toBe(false);
    stranger.destroy();
    await dropping;
    expect(await traces(dropped.names)).toEqual(NOTHING);
  });

  function startupMessage(user: string, database: string): Buffer {
    const fields = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(8 + fields.length, 0);
    head.writeInt32BE(196_608, 4);
    return Buffer.concat([head, fields]);
  }
});

describe("the check", () => {
  it("passes for an administrator", async () => {
    await expect(provider.check()).resolves.toBeUndefined();
  });

  it("says what is wrong with an administrator that may do nothing", async () => {
    const wanted = want();
    await provider.ensure(wanted);
    const url = new URL(adminUrl);
    url.username = wanted.owner.role;
    url.password = wanted.owner.password;
    url.pathname = `/${wanted.database}`;
    await expect(sharedCluster({ adminUrl: url.href }).check()).rejects.toThrow("CREATEDB and CREATEROLE");
  });
});

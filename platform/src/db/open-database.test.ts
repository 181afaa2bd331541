import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { recordingLogger, servicesUnderTest, silentLogger, waitUntil } from "../testing/index.ts";
import { openDatabase } from "./open-database.ts";

const url = servicesUnderTest().postgresAdminUrl;
const admin = openDatabase<unknown>({ url, name: "test-admin", log: silentLogger() });
afterAll(() => admin.close());

describe("a database handle", () => {
  it("says whether the database answers", async () => {
    const away = openDatabase<unknown>({ url: "postgres://u:p@127.0.0.1:1/none", name: "test", log: silentLogger() });
    expect(await admin.state()).toBe("up");
    expect(await away.state()).toBe("down");
    await away.close();
  });

  it("lets the server end a statement that takes too long, so that nothing is left running", async () => {
    const name = `test-slow-${process.pid}`;
    const slow = openDatabase<unknown>({ url, name, log: silentLogger(), statementTimeoutMs: 100 });
    await expect(sql`select pg_sleep(30)`.execute(slow.db)).rejects.toMatchObject({ code: "57014" });
    const running = sql`select 1 from pg_stat_activity where application_name = ${name} and state = 'active'`;
    // The error is on its way before the server has noted that it is idle.
    await expect.poll(async () => (await running.execute(admin.db)).rows).toEqual([]);
    expect(await slow.state()).toBe("up");
    await slow.close();
  });

  it("outlives the end of its idle connections, reports it, and works on with new ones", async () => {
    const name = `test-idle-${process.pid}`;
    const { log, lines } = recordingLogger();
    const handle = openDatabase<unknown>({ url, name, log });
    expect(await handle.state()).toBe("up");
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(
      admin.db,
    );
    await waitUntil(() => lines.some(({ msg }) => msg === "a database connection broke"));
    expect(await handle.state()).toBe("up");
    await handle.close();
  });

  it("never has more connections than allowed", async () => {
    const name = `test-max-${process.pid}`;
    const handle = openDatabase<unknown>({ url, name, log: silentLogger(), maxConnections: 3 });
    await Promise.all(Array.from({ length: 20 }, () => handle.state()));
    const { rows } = await sql`select 1 from pg_stat_activity where application_name = ${name}`.execute(admin.db);
    expect(rows).toHaveLength(3);
    await handle.close();
  });
});

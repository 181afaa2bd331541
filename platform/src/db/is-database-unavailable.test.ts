import pg from "pg";
import { describe, expect, it } from "vitest";
import { servicesUnderTest } from "../testing/index.ts";
import { isDatabaseUnavailable } from "./is-database-unavailable.ts";

const withCode = (code: string): Error => Object.assign(new Error("broken"), { code });
const { postgresAdminUrl } = servicesUnderTest();

async function errorOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing went wrong");
}

async function withClient<T>(act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgresAdminUrl });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

describe("the database counts as unavailable", () => {
  it.each(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"])(
    "for the socket error %s",
    (code) => expect(isDatabaseUnavailable(withCode(code))).toBe(true),
  );

  it.each(["08000", "08003", "08006", "08P01", "57P01", "57P02", "57P03", "53300"])("for the SQL state %s", (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  it("when nobody listens where it should be", async () => {
    const client = new pg.Client({ connectionString: "postgres://u:p@127.0.0.1:1/none" });
    expect(isDatabaseUnavailable(await errorOf(() => client.connect()))).toBe(true);
  });

  it("when it ends the connection under a query, and for the next query on it", async () => {
    await withClient(async (client) => {
      const ended = await errorOf(() => client.query("select pg_terminate_backend(pg_backend_pid())"));
      expect(isDatabaseUnavailable(ended)).toBe(true);
      expect(isDatabaseUnavailable(await errorOf(() => client.query("select 1")))).toBe(true);
    });
  });

  it("when no connection of the pool comes free in time", async () => {
    const pool = new pg.Pool({ connectionString: postgresAdminUrl, max: 1, connectionTimeoutMillis: 50 });
    const held = await pool.connect();
    expect(isDatabaseUnavailable(await errorOf(() => pool.query("select 1")))).toBe(true);
    held.release();
    await pool.end();
  });

  it("when no answer comes in time", async () => {
    const client = new pg.Client({ connectionString: postgresAdminUrl, query_timeout: 50 });
    await client.connect();
    expect(isDatabaseUnavailable(await errorOf(() => client.query("select pg_sleep(0.3)")))).toBe(true);
    await client.end();
  });
});

describe("the database counts as available", () => {
  it.each([
    ["a mistake in a statement", "select nope"],
    ["a statement that took too long", "set statement_timeout = 20; select pg_sleep(5)"],
    ["a missing table", "select * from nowhere"],
    ["a wrong value", "select 'x'::integer"],
  ])("for %s", async (_what, statement) => {
    const error = await withClient((client) => errorOf(() => client.query(statement)));
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it.each([["23505"], ["40001"], ["57014"], ["080"], ["x08006"], ["ENOENT"]])("for the code %s", (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(false);
  });

  it.each([[undefined], [null], ["ECONNREFUSED"], [{ code: "ECONNREFUSED" }], [new Error("Connection is fine")]])(
    "for %s, which is no error of a database",
    (value) => expect(isDatabaseUnavailable(value)).toBe(false),
  );
});

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../testing/index.ts";
import { PREPARED } from "./prepare-marked.ts";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  database = await createMigratedDatabase([]);
});
afterAll(() => database.drop());

const preparedStatements = async (): Promise<string[]> => {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(database.db);
  return rows.map(({ statement }) => statement);
};

describe("a statement that is marked", () => {
  it("is prepared once and runs each time with its own values", async () => {
    for (const value of [1, 2, 3]) {
      const { rows } = await sql<{ n: number }>`${PREPARED} select ${value}::int as n`.execute(database.db);
      expect(rows).toEqual([{ n: value }]);
    }
    expect(await preparedStatements()).toEqual(["/* prepared */ select $1::int as n"]);
  });

  it("is told from others by all of its text", async () => {
    await sql`${PREPARED} select ${1}::int as other`.execute(database.db);
    expect(await preparedStatements()).toHaveLength(2);
  });

  it("is the only kind that stays", async () => {
    await sql`select ${1}::int as plain`.execute(database.db);
    await sql`select '/* prepared */'`.execute(database.db);
    expect(await preparedStatements()).toHaveLength(2);
  });
});

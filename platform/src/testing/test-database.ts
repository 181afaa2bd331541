import { randomBytes } from "node:crypto";
import pg from "pg";
import { migrate, type MigrationSet, openDatabase, platformMigrations } from "../db/index.ts";
import type { AnyDb } from "../db/index.ts";
import { createLogger } from "../telemetry/index.ts";
import { servicesUnderTest } from "./services.ts";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** An empty database of its own on the real server. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const { postgresAdminUrl } = servicesUnderTest();
  await runAsAdmin(postgresAdminUrl, `create database ${name}`);
  const url = new URL(postgresAdminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runAsAdmin(postgresAdminUrl, `drop database if exists ${name} with (force)`),
  };
}

/** The same with schemas in it, and a handle that is closed before the drop. */
export async function createMigratedDatabase(
  sets: MigrationSet[],
  alsoUnderLock?: (url: string) => Promise<void>,
): Promise<TestDatabase & { db: AnyDb }> {
  const empty = await createEmptyDatabase();
  await migrate({
    url: empty.url,
    sets: [platformMigrations, ...sets],
    roles: [],
    ...(alsoUnderLock && { alsoUnderLock }),
  });
  const database = openDatabase<unknown>({ url: empty.url, name: "test", log: silentLogger() });
  return {
    url: empty.url,
    db: database.db as AnyDb,
    drop: async () => {
      await database.close();
      await empty.drop();
    },
  };
}

export function silentLogger(): ReturnType<typeof createLogger> {
  return createLogger({ service: "test", level: "silent" });
}

async function runAsAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { COMPILE_CACHE } from "@svc/platform/testing";
import pg from "pg";
import type { StackSecrets } from "./secrets.ts";

const run = promisify(execFile);
const ROOT = new URL("../../../", import.meta.url);

interface StackDatabases {
  adminUrl: string;
  /** Names of the databases, made where they are missing. */
  identity: string;
  platform: string;
  secrets: StackSecrets;
}

/** Creates and migrates both databases with the same entry points that an operator runs. */
export async function prepareDatabases({ adminUrl, identity, platform, secrets }: StackDatabases): Promise<string[]> {
  await createMissing(adminUrl, [identity, platform]);
  const outputs = await Promise.all([
    runMigration("services/auth-service/src/migrate.ts", {
      ...secrets,
      IDENTITY_MIGRATION_DATABASE_URL: databaseUrl(adminUrl, identity),
    }),
    runMigration("services/worker/src/migrate.ts", {
      ...secrets,
      MIGRATION_DATABASE_URL: databaseUrl(adminUrl, platform),
    }),
  ]);
  return outputs;
}

/** The address of a database, for the administrator or for the role of a service. */
export function databaseUrl(adminUrl: string, database: string, role?: { name: string; password: string }): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (role) {
    url.username = role.name;
    url.password = role.password;
  }
  return url.href;
}

export async function createMissing(adminUrl: string, names: string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const name of names) {
      const { rowCount } = await admin.query("select 1 from pg_database where datname = $1", [name]);
      if (rowCount === 0) await admin.query(`create database ${pg.escapeIdentifier(name)}`);
    }
  } finally {
    await admin.end();
  }
}

async function runMigration(entry: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, ["--conditions=svc-source", fileURLToPath(new URL(entry, ROOT))], {
    env: { PATH: process.env["PATH"], ...COMPILE_CACHE, ...env },
  });
  return stdout.trim();
}

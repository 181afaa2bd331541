import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Where the real Postgres and Valkey/Redis for development and tests are. */
export function servicesUnderTest(): { postgresAdminUrl: string; redisUrl: string } {
  const writtenByTools = join(process.env["SVC_DEV_DIR"] ?? join(ROOT, ".dev"), "services.env");
  if (!process.env["SVC_POSTGRES_ADMIN_URL"] && existsSync(writtenByTools)) process.loadEnvFile(writtenByTools);
  const { SVC_POSTGRES_ADMIN_URL: postgresAdminUrl, SVC_REDIS_URL: redisUrl } = process.env;
  if (!postgresAdminUrl || !redisUrl) throw new Error("no database to run on; start one with: tools/services start");
  return { postgresAdminUrl, redisUrl };
}

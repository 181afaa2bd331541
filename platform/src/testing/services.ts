import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const WRITTEN_BY_TOOLS = new URL("../../../.dev/services.env", import.meta.url);

/** Where the real Postgres and Valkey/Redis for development and tests are. */
export function servicesUnderTest(): { postgresAdminUrl: string; redisUrl: string } {
  if (!process.env["SVC_POSTGRES_ADMIN_URL"] && existsSync(WRITTEN_BY_TOOLS)) {
    process.loadEnvFile(fileURLToPath(WRITTEN_BY_TOOLS));
  }
  const { SVC_POSTGRES_ADMIN_URL: postgresAdminUrl, SVC_REDIS_URL: redisUrl } = process.env;
  if (!postgresAdminUrl || !redisUrl) throw new Error("no database to run on; start one with: tools/services start");
  return { postgresAdminUrl, redisUrl };
}

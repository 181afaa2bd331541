import { execFile } from "node:child_process";
import { join } from "node:path";
import { COMPILE_CACHE } from "@svc/platform/testing";
import { describe, expect, it } from "vitest";
import { ROOT } from "@svc/dev";

const SECRET = "s3cr3t-that-must-not-be-printed";

/** Three wrong settings for each entry point; values that are secret hold SECRET. */
const ENTRIES: Record<string, Record<string, string>> = {
  "services/auth-service/src/main.ts": {
    PORT: "many",
    JWT_SECRET: SECRET,
    IDENTITY_DATABASE_URL: `mysql://u:${SECRET}@h/d`,
  },
  "services/api-gateway/src/main.ts": {
    LOG_LEVEL: "loud",
    ACTOR_ASSERTION_SECRET: SECRET,
    DATABASE_URL: `http://u:${SECRET}@h`,
  },
  "services/deploy-api/src/main.ts": { PORT: "70000", TRUSTED_PROXIES: "nonsense", DATABASE_URL: SECRET },
  "services/mcp-server/src/main.ts": { PORT: "1.5", DRAIN_SECONDS: "soon", API_GATEWAY_URL: `ftp://u:${SECRET}@h` },
  "services/worker/src/main.ts": { STOP_SECONDS: "0", TRACE_SAMPLE_RATIO: "2", DATABASE_URL: SECRET },
};

function start(entry: string, env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env["PATH"], ...COMPILE_CACHE, ...env }, timeout: 15_000 };
    execFile(process.execPath, ["--conditions=svc-source", join(ROOT, entry)], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

describe("a service with wrong settings", () => {
  it.each(Object.entries(ENTRIES))("%s names all three, prints no secret and does not start", async (entry, env) => {
    const { code, output } = await start(entry, env);
    expect(code).toBe(78);
    for (const setting of Object.keys(env)) expect(output).toMatch(new RegExp(`^ {2}${setting} +\\S`, "m"));
    expect(output).not.toContain(SECRET);
  });

  it.each(["services/auth-service/src/migrate.ts", "services/worker/src/migrate.ts"])(
    "%s needs its database",
    async (entry) => {
      const { code, output } = await start(entry, {});
      expect(code).toBe(78);
      expect(output).toContain("MIGRATION_DATABASE_URL");
    },
  );
});

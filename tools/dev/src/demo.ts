import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createApiClient } from "@svc/http-client";
import { createApiToken, createOrg, deriveTokenKeys, type IdentityTables } from "@svc/identity";
import { openDatabase } from "@svc/platform/db";
import { createLogger } from "@svc/platform/telemetry";
import type { StackSecrets } from "./secrets.ts";

interface DemoOptions {
  identityUrl: string;
  gatewayUrl: string;
  secrets: StackSecrets;
  /** Where the token is kept between runs; the database has only its digest. */
  tokenFile: string;
}

/** A token that works: the one of the last run, or that of a demo organization made now. */
export async function ensureDemoToken(options: DemoOptions): Promise<string> {
  const kept = existsSync(options.tokenFile) ? readFileSync(options.tokenFile, "utf8").trim() : undefined;
  if (kept && (await works(options.gatewayUrl, kept))) return kept;

  const log = createLogger({ service: "dev", level: "error" });
  const database = openDatabase<IdentityTables>({ url: options.identityUrl, name: "dev", log });
  try {
    const keys = deriveTokenKeys(options.secrets.JWT_SECRET, options.secrets.JWT_SIGNING_KEY);
    // The token may be lost while its organization is still there, so each has a slug of its own.
    const { orgId, userId } = await createOrg(database.db, {
      name: "Demo",
      slug: `demo-${Date.now().toString(36)}`,
      owner: { email: "owner@demo.example", name: "Demo Owner" },
    });
    const { token } = await createApiToken(database.db, keys, { orgId, userId, name: "development" });
    writeFileSync(options.tokenFile, `${token}\n`, { mode: 0o600 });
    return token;
  } finally {
    await database.close();
  }
}

async function works(gatewayUrl: string, token: string): Promise<boolean> {
  const client = createApiClient({ baseUrl: gatewayUrl, token: () => token });
  return client.whoAmI().then(
    () => true,
    () => false,
  );
}

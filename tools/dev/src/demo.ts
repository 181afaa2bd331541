import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createApiClient } from "@svc/http-client";
import { BY_RULE, createApiToken, createOrgAsOperator, deriveTokenKeys, type IdentityTables } from "@svc/identity";
import { openDatabase } from "@svc/platform/db";
import { createLogger } from "@svc/platform/telemetry";
import type { StackSecrets } from "./secrets.ts";

const DEMO_ORG = { name: "Demo", admin_email: "owner@demo.example", admin_name: "Demo Owner" };
const NOWHERE = { address: null, userAgent: null };

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
    const context = { db: database.db, keys, cache: { publish: async () => undefined } };
    const { org, owner } = await createOrgAsOperator(context, DEMO_ORG, NOWHERE);
    if (!owner) throw new Error("the demo organization has no owner");
    const wanted = { orgId: org.id, userId: owner.user_id, name: "development" };
    const { token } = await createApiToken(context, wanted, BY_RULE, NOWHERE);
    writeFileSync(options.tokenFile, `${token}\n`, { mode: 0o600 });
    return token;
  } finally {
    await database.close();
  }
}

/** So that whoever signs in as the developer is one, and accepting an invitation can be seen. */
export async function inviteDemoDeveloper(gatewayUrl: string, token: string): Promise<void> {
  const client = createApiClient({ baseUrl: gatewayUrl, token: () => token });
  const { org } = await client.whoAmI();
  const response = await fetch(`${gatewayUrl}/api/v1/orgs/${org.id}/invitations`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ email: "developer@demo.example", role: "developer" }),
  });
  // 409: they have signed in before.
  if (!response.ok && response.status !== 409) throw new Error(`the invitation was answered with ${response.status}`);
}

async function works(gatewayUrl: string, token: string): Promise<boolean> {
  const client = createApiClient({ baseUrl: gatewayUrl, token: () => token });
  return client.whoAmI().then(
    () => true,
    () => false,
  );
}

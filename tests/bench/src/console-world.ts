import { randomBytes } from "node:crypto";
import { chromiumOptions, prepareStack, startLocalProvider, startPrivateServices } from "@svc/dev";
import type { Id } from "@svc/contract";
import { uuidOf } from "@svc/platform/ids";
import { createApiClient } from "@svc/http-client";
import pg from "pg";
import { type CDPSession, chromium, type Page } from "playwright-core";

export interface ConsoleWorld {
  page: Page;
  session: CDPSession;
  /** Addresses of the pages that are measured. */
  sources: string;
  activity: string;
  close(): Promise<void>;
}

const SOURCES = 20;
const EMAIL = "owner@bench.example";

/** A stack with the console, twenty sources and many questions on record, and a browser in which the owner signed in. */
export async function openConsoleWorld(site: string, questions: number): Promise<ConsoleWorld> {
  const services = await startPrivateServices();
  const stack = await prepareStack(services);
  const base = stack.urlOf("api-gateway");
  const secret = randomBytes(32).toString("hex");
  const provider = await startLocalProvider({
    name: "Google",
    port: 0,
    client: { id: "svc", secret, redirectUri: `${base}/auth/google/callback` },
    people: [{ sub: "owner", claims: { email: EMAIL, email_verified: true, hd: "bench.example", name: "Owner" } }],
  });
  const google = { GOOGLE_ISSUER: provider.issuer, GOOGLE_CLIENT_ID: "svc", GOOGLE_CLIENT_SECRET: secret };
  await stack.start("auth-service", google, { unread: true });
  await stack.start("api-gateway", { CONSOLE_DIRECTORY: site }, { unread: true });
  await stack.start("worker", {}, { unread: true });
  const org = await createOrg(base, stack.secrets.OPERATOR_TOKEN);
  const { token } = await stack.issueMemberToken(org.id, "robot@bench.example", "owner");
  const api = createApiClient({ baseUrl: base, token: () => token });
  for (let n = 1; n <= SOURCES; n += 1) await api.createDatabase({ name: `source_${n}` });
  await addRecords(stack.databaseUrls.platform, org.id, questions);

  const browser = await chromium.launch(chromiumOptions());
  const page = await browser.newPage({ viewport: { width: 1_280, height: 860 } });
  const sources = `${base}/o/${org.slug}/data-sources`;
  await page.goto(sources);
  await page.getByRole("link", { name: "Continue with Google" }).click();
  await page.getByRole("button", { name: EMAIL, exact: true }).click();
  await page.waitForURL(sources);
  return {
    page,
    session: await page.context().newCDPSession(page),
    sources,
    activity: `${base}/o/${org.slug}/activity?type=data_sources`,
    close: async () => {
      await browser.close();
      await stack.stop();
      await provider.close();
      await services.destroy();
    },
  };
}

async function createOrg(base: string, operatorToken: string): Promise<{ id: Id<"org">; slug: string }> {
  const response = await fetch(`${base}/api/v1/admin/orgs`, {
    method: "POST",
    headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Bench", admin_email: EMAIL }),
  });
  const { org } = (await response.json()) as { org: { id: Id<"org">; slug: string } };
  return org;
}

async function addRecords(url: string, orgId: Id<"org">, questions: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // UUIDv7 of the last hours, a second apart.
    await client.query(
      `insert into data_sources.activity (org_id, id, type, source_id, source, caller_kind, user_email, duration_ms,
         question_bytes, answer_bytes, hits, question_digest, outcome)
       select $1, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 1000), 12, '0') || '7000' || '8' ||
         substr(md5(n::text), 1, 15))::uuid, 'data_sources', 'db_source_' || n % 20, 'mcp', 'user', null, n % 400, 40,
         n % 16384, n % 20, '\\x00', 'ok' from generate_series(1, $2::int) n`,
      [uuidOf(orgId), questions],
    );
  } finally {
    await client.end();
  }
}

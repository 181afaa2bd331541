import { recordingLogger } from "@svc/platform/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ConnectorFixture, createConnectorFixture, JWT_SECRET } from "../../testing/connector-fixture.ts";
import type { TestOrg } from "../../testing/identity-fixture.ts";

const { log, lines } = recordingLogger();
let fixture: ConnectorFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createConnectorFixture({ log, isSplit: true });
  org = await fixture.createTestOrg("Leaks");
});

afterAll(() => fixture?.close());

async function dumpOfEveryTable(): Promise<string> {
  const { db } = fixture.context;
  const tables = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'identity'`.execute(db);
  const dumps = tables.rows.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} as t`.execute(db);
    return rows.map(({ row }) => row).join("\n");
  });
  return (await Promise.all(dumps)).join("\n");
}

it("keeps no token, code or secret in clear, neither in the database nor in a log, and puts none into an address", async () => {
  const agent = await fixture.newRegisteredAgent();
  const browser = fixture.newBrowser();
  const addresses: string[] = [];
  const { get } = browser;
  browser.get = async (address, headers) => {
    addresses.push(String(address));
    return get(address, headers);
  };
  const authorizeUrl = agent.authorizeUrl();
  const page = await fixture.ask(browser, org.members.viewer.email, authorizeUrl);
  const duringConsent = await dumpOfEveryTable();
  const uid = page.url.pathname.split("/").at(-1) ?? "";
  const formSecret = /name="secret" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const exchangeCode = addresses.map((address) => new URL(address).searchParams.get("svc_code")).find(Boolean) ?? "";
  const cookies = browser.cookies.map(({ value }) => value);

  const back = await fixture.decide(browser, page);
  const code = back.searchParams.get("code") ?? "";
  const { body: first } = await agent.redeem(back);
  const { body: second } = await agent.refresh(first.refresh_token);
  await agent.refresh("x".repeat(43));

  const tokens = [first.refresh_token, second.refresh_token, first.access_token, second.access_token, JWT_SECRET];
  const secrets = [uid, formSecret, exchangeCode, code, ...cookies, ...tokens];
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(20);
  const kept = duringConsent + (await dumpOfEveryTable());
  expect(kept).toContain(agent.clientId);
  const written = JSON.stringify(lines);
  expect(written).toContain("/oauth/token");
  for (const secret of secrets)
    expect([secret, kept.includes(secret), written.includes(secret)]).toEqual([secret, false, false]);
  for (const token of tokens) expect(addresses.join(" ")).not.toContain(token);
});

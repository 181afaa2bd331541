import { connectorTokenKey, readConnectorToken } from "@svc/platform/http";
import { fetch } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  CALLBACK,
  type ConnectorFixture,
  createConnectorFixture,
  JWT_SECRET,
  RESOURCE,
} from "../../testing/connector-fixture.ts";
import type { TestOrg } from "../../testing/identity-fixture.ts";

let fixture: ConnectorFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createConnectorFixture();
  org = await fixture.createTestOrg("Whole Way");
});

afterAll(() => fixture?.close());

it("leads an agent from nothing but the issuer to tokens, renews them and ends them", async () => {
  const { issuer } = fixture;
  const discovered = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
  const server = (await discovered.json()) as Record<string, string>;
  expect(server).toMatchObject({ issuer, code_challenge_methods_supported: ["S256"] });

  const registered = await fetch(server["registration_endpoint"] ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Whole agent", redirect_uris: [CALLBACK] }),
  });
  expect(registered.status).toBe(201);
  const { client_id } = (await registered.json()) as { client_id: string };

  const agent = fixture.newAgent(client_id);
  const browser = fixture.newBrowser();
  const { email, userId } = org.members.developer;
  const page = await fixture.ask(browser, email, agent.authorizeUrl({ scope: undefined, resource: undefined }));
  expect([page.status, page.url.pathname.startsWith("/oauth/consent/")]).toEqual([200, true]);
  for (const shown of ["Whole agent", "agent.example.com", email, "Whole Way", "Search the data sources"])
    expect(page.text).toContain(shown);

  const back = await fixture.decide(browser, page);
  expect(back.origin + back.pathname).toBe(CALLBACK);
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: "the state", iss: issuer });

  const { status, body: tokens } = await agent.redeem(back);
  expect([status, tokens.token_type, tokens.expires_in]).toEqual([200, "Bearer", 600]);
  expect(tokens.scope).toBe("data:read notifications:read apps:read");
  const key = connectorTokenKey(JWT_SECRET);
  const claims = await readConnectorToken(key, tokens.access_token, { issuer, resource: RESOURCE });
  expect(claims).toMatchObject({ userId, orgId: org.id, clientId: client_id });

  const renewed = await agent.refresh(tokens.refresh_token);
  expect(renewed.status).toBe(200);
  expect(renewed.body.refresh_token).not.toBe(tokens.refresh_token);
  const second = await readConnectorToken(key, renewed.body.access_token, { issuer, resource: RESOURCE });
  expect(second?.grantId).toBe(claims?.grantId);

  const revoked = await fixture.sendForm("/oauth/revoke", { token: renewed.body.refresh_token, client_id });
  expect(revoked.status).toBe(200);
  expect((await agent.refresh(renewed.body.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
});

import { createHmac } from "node:crypto";
import { UnauthorizedError } from "@modelcontextprotocol/client";
import { CONNECTOR_TOKEN_TYPE, connectorTokenKey } from "@svc/platform/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeConformance } from "./conformance.ts";
import type { Agent } from "./connect-agent-client.ts";
import { describeConsentPages } from "./connect-agent-pages.ts";
import { addSource, loadHandbook, loadOneNote } from "./connect-agent-source.ts";
import { type ConnectStack, startConnectStack } from "./connect-agent-stack.ts";
import type { Visitor } from "./sign-in-stack.ts";

const DOMAIN = "engines.example";
const [FIRST_ORG, OTHER_ORG] = ["Analytical Engines", "Difference Works"];
const QUESTION = "How do I get the money back that I spent on a business trip?";

let world: ConnectStack;
/** A member of the first organization. */
let grace: string;
/** The owner of both. */
let ada: string;

beforeAll(async () => {
  world = await startConnectStack();
  const { base, createOrg } = world;
  ada = world.googler(`ada@${DOMAIN}`);
  grace = world.googler(`grace@${DOMAIN}`);
  await Promise.all([
    createOrg(FIRST_ORG, { domains: [DOMAIN], admin_email: ada }).then((token) =>
      addSource(base, token, "notes", loadHandbook),
    ),
    createOrg(OTHER_ORG, { admin_email: ada }).then((token) =>
      addSource(base, token, "payroll", loadOneNote("Salaries")),
    ),
  ]);
}, 180_000);
afterAll(() => world?.stop());

const call = (agent: Agent, name: string, input: Record<string, unknown> = {}): Promise<any> =>
  agent.client.callTool({ name, arguments: input });
const ask = (agent: Agent, source: string): Promise<any> =>
  call(agent, "data_source_query", { source_id: source, query: QUESTION, top_k: 3 });
const sourcesOf = async (agent: Agent): Promise<string[]> =>
  (await call(agent, "data_sources_list")).structuredContent.items.map(({ id }: { id: string }) => id);

/** As if its ten minutes were over, and the few seconds by which clocks may differ. */
function letTokenExpire({ memory }: Agent): void {
  if (!memory.tokens) throw new Error("the agent has no token");
  const [, claims = ""] = memory.tokens.access_token.split(".");
  const write = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const now = Math.floor(Date.now() / 1_000);
  const old = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), iat: now - 610, exp: now - 10 };
  const signed = `${write({ alg: "HS256", typ: CONNECTOR_TOKEN_TYPE })}.${write(old)}`;
  const key = connectorTokenKey(world.stack.secrets.JWT_SECRET);
  const access_token = `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  memory.tokens = { ...memory.tokens, access_token };
}

describe.each([
  ["2025", "initialize", "2025-11-25"],
  ["2026", "server/discover", "2026-07-28"],
] as const)("an agent of %s that knows nothing but the address", (era, opening, revision) => {
  it("is led through discovery, registration, sign-in and consent to real answers, and renews its access in use", async () => {
    const { endpoint, base } = world;
    const agent = world.startAgent("Handbook agent", era);
    const { context } = await world.letIn(agent, grace);
    await context.close();
    const metadata = `${new URL(endpoint).origin}/.well-known/oauth-protected-resource/platform`;
    expect(agent.challenges).toEqual([`Bearer resource_metadata="${metadata}", scope="data:read"`]);
    expect(agent.steps.slice(0, 6)).toEqual([
      `401 POST ${endpoint} ${opening}`,
      `200 GET ${metadata}`,
      `200 GET ${base}/.well-known/oauth-authorization-server`,
      `201 POST ${base}/oauth/register`,
      `200 POST ${base}/oauth/token`,
      `200 POST ${endpoint} ${opening}`,
    ]);
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(Object.fromEntries(agent.memory.askedAt?.searchParams ?? [])).toMatchObject({
      code_challenge_method: "S256",
      resource: endpoint,
      scope: "data:read",
    });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["data_sources_list", "data_source_query"]);
    expect(await sourcesOf(agent)).toEqual(["db_notes"]);
    const asked = await ask(agent, "db_notes");
    expect(asked.structuredContent).toMatchObject({ count: 3, results: [{ title: "Travel expenses" }, {}, {}] });

    const earlier = agent.memory.tokens;
    letTokenExpire(agent);
    agent.steps.length = 0;
    expect((await ask(agent, "db_notes")).structuredContent).toEqual(asked.structuredContent);
    expect(agent.steps).toEqual([
      `401 POST ${endpoint} tools/call`,
      `200 POST ${base}/oauth/token`,
      `200 POST ${endpoint} tools/call`,
    ]);
    expect(agent.memory.tokens?.access_token).not.toBe(earlier?.access_token);
    expect(agent.memory.tokens?.refresh_token).not.toBe(earlier?.refresh_token);
  });
});

describeConsentPages(() => ({ world, oneOrg: grace, allOrgs: ada, orgs: [FIRST_ORG, OTHER_ORG] }));

describe("a person's decision", () => {
  const disconnect = async ({ page }: Visitor): Promise<void> => {
    await page.goto(world.base);
    await page.getByRole("link", { name: "Connected agents" }).click();
    await page.getByRole("button", { name: "Disconnect Passing agent" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
  };

  it("to deny gives the agent access_denied and nothing else", async () => {
    const agent = world.startAgent("Passing agent");
    const address = await agent.askPerson();
    const visitor = await world.openConsent(address, grace);
    const brought = await world.decide(visitor, address, "Deny");
    await visitor.context.close();
    expect([...brought.keys()].toSorted()).toEqual(["error", "error_description", "iss", "state"]);
    await expect(agent.connect(brought)).rejects.toMatchObject({ code: "access_denied" });
    expect([agent.memory.allTokens, agent.steps.at(-1)]).toEqual([[], `201 POST ${world.base}/oauth/register`]);
  });

  it("to disconnect, in the console, makes the very next call a 401, whatever the agent still has, and the agent asks anew", async () => {
    const agent = world.startAgent("Passing agent");
    const visitor = await world.letIn(agent, grace);
    expect(await sourcesOf(agent)).toEqual(["db_notes"]);
    await disconnect(visitor);
    await visitor.context.close();
    const { askedAt } = agent.memory;
    agent.steps.length = 0;
    await expect(ask(agent, "db_notes")).rejects.toBeInstanceOf(UnauthorizedError);
    expect(agent.steps).toEqual([`401 POST ${world.endpoint} tools/call`, `400 POST ${world.base}/oauth/token`]);
    expect(agent.challenges.at(-1)).toMatch(/^Bearer error="invalid_token".* resource_metadata="http:/);
    expect(agent.memory.tokens).toBeUndefined();
    expect(agent.memory.askedAt).not.toBe(askedAt);
  });
});

describe("a person in two organizations", () => {
  it("lets an agent into one, where it never sees the other's sources, and into the other only by another consent", async () => {
    const agents = [];
    for (const [org, own, foreign] of [
      [FIRST_ORG, "db_notes", "db_payroll"],
      [OTHER_ORG, "db_payroll", "db_notes"],
    ] as const) {
      const agent = world.startAgent("Handbook agent");
      await (await world.letIn(agent, ada, org)).context.close();
      agents.push({ agent, own, foreign });
    }
    // Both at once: what the second was allowed changes nothing for the first.
    for (const { agent, own, foreign } of agents) {
      expect(await sourcesOf(agent)).toEqual([own]);
      expect((await ask(agent, own)).structuredContent.count).toBeGreaterThan(0);
      const [hidden, unknown] = [await ask(agent, foreign), await ask(agent, "db_nothing")];
      expect(hidden).toEqual(unknown);
      expect([hidden.isError, hidden.content[0].text]).toEqual([true, expect.stringMatching(/^NOT_FOUND: /)]);
    }
    const ids = agents.map(({ agent }) => agent.memory.registration?.client_id);
    expect(ids[0]).toBe(ids[1]);
  });
});

describeConformance(() => ({ world, email: grace }));

describe("what the MCP server sends on", () => {
  it("has no agent's token and no secret in any byte, to the gateway or to the auth service", async () => {
    const agent = world.startAgent("Handbook agent");
    await (await world.letIn(agent, grace)).context.close();
    await ask(agent, "db_notes");
    letTokenExpire(agent);
    await agent.client.listTools();
    const { gateway, "auth service": authService } = world.recorders;
    // Otherwise we would look for something in nothing.
    expect(gateway.sent()).toContain("POST /api/wf/slim/data-sources/db_notes/query");
    expect(authService.sent()).toContain("POST /api/v1/tokens/validate");
    expect(gateway.sent()).toMatch(/authorization: Bearer ey/i);

    const tokens = world.agents.flatMap(({ memory }) => memory.allTokens);
    expect(tokens.length).toBeGreaterThanOrEqual(4);
    // An assertion has the same header as a token, so of that the rest.
    const parts = tokens.flatMap((token) => [token, ...token.split(".").slice(1)]);
    const secrets = Object.values(world.stack.secrets).flatMap((secret) => [
      secret,
      ...(["base64", "base64url"] as const).flatMap((encoding) => [
        Buffer.from(secret, "hex").toString(encoding),
        Buffer.from(secret).toString(encoding),
      ]),
    ]);
    for (const [to, recorder] of Object.entries(world.recorders)) {
      const sent = recorder.sent();
      const found = [...parts, ...secrets].filter((secret) => sent.includes(secret));
      expect([to, found]).toEqual([to, []]);
    }
  });
});

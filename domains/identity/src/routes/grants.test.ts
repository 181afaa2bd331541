import type { Role } from "@svc/contract";
import { newId } from "@svc/platform/ids";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ConnectorFixture,
  createConnectorFixture,
  type TestAgent,
  type Tokens,
} from "../testing/connector-fixture.ts";
import type { TestOrg } from "../testing/identity-fixture.ts";

let fixture: ConnectorFixture;
let org: TestOrg;
let stranger: TestOrg;
let agent: TestAgent;
let tokens: Tokens;
let grantId: string;

beforeAll(async () => {
  fixture = await createConnectorFixture();
  stranger = await fixture.createTestOrg("Stranger");
  agent = await fixture.newRegisteredAgent();
});

afterAll(() => fixture?.close());

beforeEach(async () => {
  org = await fixture.createTestOrg("Grants");
  tokens = await fixture.connect(agent, org.members.developer.email);
  grantId = JSON.parse(Buffer.from(tokens.access_token.split(".")[1] ?? "", "base64url").toString()).grant_id;
});

const as = (role: Role, of: TestOrg = org): string => of.members[role].token;
const list = (token: string, query = "") => fixture.call("GET", `/api/v1/grants${query}`, token);
const disconnect = (token: string, id = grantId) => fixture.call("DELETE", `/api/v1/grants/${id}`, token);

describe("GET /api/v1/grants", () => {
  it("200: one's own, with what was allowed and to whom", async () => {
    const { status, body } = await list(as("developer"));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      next_cursor: null,
      items: [
        {
          id: grantId,
          client: { id: agent.clientId, name: expect.stringMatching(/^Agent /), redirect_host: "agent.example.com" },
          user: { id: org.members.developer.userId, email: org.members.developer.email },
          scopes: ["data:read"],
          last_used_at: null,
        },
      ],
    });
    const lives = Date.parse(body.items[0].expires_at) - Date.now();
    expect(lives / 86_400_000).toBeCloseTo(30, 1);
  });

  it("200: everyone's of the organization for owner and admin, page by page, and nobody's of another", async () => {
    await fixture.connect(agent, org.members.viewer.email);
    await fixture.connect(agent, stranger.members.viewer.email);
    for (const role of ["owner", "admin"] as const) {
      const { body } = await list(as(role), "?scope=org");
      const people = body.items.map(({ user }: any) => user.email);
      expect(people).toEqual([org.members.developer.email, org.members.viewer.email]);
    }
    const first = await list(as("owner"), "?scope=org&limit=1");
    const second = await list(as("owner"), `?scope=org&limit=1&cursor=${first.body.next_cursor}`);
    expect([first.body.items.length, second.body.items.length, second.body.next_cursor]).toEqual([1, 1, null]);
    expect((await list(as("owner"))).body.items).toEqual([]);
  });

  it("200: without what was revoked, has run out, or never fetched its tokens in time", async () => {
    await sql`update identity.platform_access_grants set expires_at = now() - interval '1 second'`.execute(
      fixture.context.db,
    );
    expect((await list(as("developer"))).body.items).toEqual([]);
  });

  it("400: a cursor that is none, a scope that is none", async () => {
    expect((await list(as("owner"), "?cursor=x")).status).toBe(400);
    expect((await list(as("owner"), "?scope=all")).status).toBe(400);
  });

  it("403: everyone's for who is neither owner nor admin", async () => {
    for (const role of ["viewer", "member", "developer"] as const)
      expect((await list(as(role), "?scope=org")).status).toBe(403);
  });
});

describe("DELETE /api/v1/grants/:grant", () => {
  it.each(["developer", "admin", "owner"] as const)("204: as %s, and the agent cannot renew any more", async (role) => {
    const before = fixture.published.length;
    expect((await disconnect(as(role))).status).toBe(204);
    expect((await agent.refresh(tokens.refresh_token)).body.error).toBe("invalid_grant");
    expect((await list(as("developer"))).body.items).toEqual([]);
    expect(fixture.published.length).toBeGreaterThan(before);
    expect((await disconnect(as(role))).status).toBe(404);
  });

  it("leaves no refresh token of the family behind", async () => {
    await agent.refresh(tokens.refresh_token);
    await disconnect(as("developer"));
    const { rows } = await sql`select from identity.connector_artifacts where grant_id in (
      select id from identity.platform_access_grants where revoked_at is not null)`.execute(fixture.context.db);
    expect(rows).toHaveLength(0);
  });

  it("is in the audit trail, as is the making", async () => {
    await disconnect(as("admin"));
    const { body } = await fixture.call("GET", `/api/v1/orgs/${org.id}/audit`, as("owner"));
    const entries = body.items.filter(({ action }: any) => action.startsWith("grant."));
    expect(entries).toMatchObject([
      {
        action: "grant.revoked",
        actor: { kind: "user", name: org.members.admin.email },
        target: { kind: "grant", id: grantId },
        details: { of: org.members.developer.email, client: agent.clientId },
      },
      {
        action: "grant.created",
        actor: { kind: "user", name: org.members.developer.email },
        details: { redirect_host: "agent.example.com", scopes: "data:read" },
      },
    ]);
  });

  it("400: an id that is none", async () => {
    expect((await disconnect(as("developer"), "grt_x")).status).toBe(400);
  });

  it("404: somebody else's, another organization's, an unknown one", async () => {
    expect((await disconnect(as("viewer"))).status).toBe(404);
    expect((await disconnect(as("owner", stranger))).status).toBe(404);
    expect((await disconnect(as("owner"), newId("grt"))).status).toBe(404);
    expect((await agent.refresh(tokens.refresh_token)).status).toBe(200);
  });
});

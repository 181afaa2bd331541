import { describeCalls } from "./testing/describe-calls.ts";

const AT = "2026-05-01T10:00:00.000Z";
const id = (prefix: string) => `${prefix}_01h455vb4pex5vsknk084sn02q`;
const PERSON = { id: id("usr"), email: "ada@example.com", name: null };
const ORG = { id: id("org"), name: "Acme", slug: "acme", domains: ["example.com"], created_at: AT };
const SESSION_ORG = { id: ORG.id, slug: ORG.slug, name: ORG.name, role: "owner" };
const SESSION = { user: PERSON, org: SESSION_ORG, orgs: [SESSION_ORG] };
const TOKEN = { token: "eyJ", expires_at: AT, ...SESSION };
const MEMBER = { id: id("mem"), user: PERSON, role: "viewer", created_at: AT };
const INVITATION = {
  id: id("inv"),
  email: "new@example.com",
  role: "developer",
  invited_by: PERSON.id,
  created_at: AT,
  expires_at: AT,
};
const AUDIT = {
  id: id("aud"),
  action: "member.joined",
  actor: { kind: "user", id: PERSON.id, name: PERSON.email },
  target: { kind: "member", id: MEMBER.id, name: PERSON.email },
  details: { role: "viewer" },
  address: null,
  user_agent: null,
  at: AT,
};
const API_TOKEN = {
  id: id("tok"),
  name: "ci",
  prefix: "svc_abc",
  user: { id: PERSON.id, email: PERSON.email },
  created_at: AT,
  expires_at: null,
  last_used_at: null,
};
const GRANT = {
  id: id("grt"),
  client: { id: "https://agent.example.com/client", name: "Agent", redirect_host: "agent.example.com" },
  user: { id: PERSON.id, email: PERSON.email },
  scopes: ["data:read"],
  created_at: AT,
  last_used_at: null,
  expires_at: AT,
};
const pageOf = (item: object) => ({ items: [item], next_cursor: "more" });

describeCalls("the session of a browser", [
  ["session", (c) => c.session(), "GET /api/v1/session", undefined, SESSION],
  ["sessionToken", (c) => c.sessionToken(), "POST /api/v1/session/token", {}, TOKEN],
  [
    "sessionToken of an organization",
    (c) => c.sessionToken("acme"),
    "POST /api/v1/session/token",
    { org: "acme" },
    TOKEN,
  ],
  ["exchangeCode", (c) => c.exchangeCode("once"), "POST /api/v1/session/exchange", { code: "once" }, TOKEN],
  [
    "endSessionsEverywhere",
    (c) => c.endSessionsEverywhere(),
    "POST /api/v1/session/end-everywhere",
    undefined,
    undefined,
  ],
]);

describeCalls("organizations", [
  ["createOrg", (c) => c.createOrg({ name: "Acme" }), "POST /api/v1/orgs", { name: "Acme" }, { org: ORG }],
  ["getOrg", (c) => c.getOrg("acme"), "GET /api/v1/orgs/acme", undefined, ORG],
  [
    "updateOrg",
    (c) => c.updateOrg("acme", { domains: ["example.com"] }),
    "PATCH /api/v1/orgs/acme",
    { domains: ["example.com"] },
    ORG,
  ],
  ["listMembers", (c) => c.listMembers("acme"), "GET /api/v1/orgs/acme/members", undefined, pageOf(MEMBER)],
  [
    "listMembers of another page",
    (c) => c.listMembers("acme", { limit: 5, cursor: "more" }),
    "GET /api/v1/orgs/acme/members?limit=5&cursor=more",
    undefined,
    pageOf(MEMBER),
  ],
  [
    "changeMember",
    (c) => c.changeMember("acme", MEMBER.id, { role: "admin" }),
    `PATCH /api/v1/orgs/acme/members/${MEMBER.id}`,
    { role: "admin" },
    MEMBER,
  ],
  [
    "removeMember",
    (c) => c.removeMember("acme", MEMBER.id),
    `DELETE /api/v1/orgs/acme/members/${MEMBER.id}`,
    undefined,
    undefined,
  ],
  [
    "listInvitations",
    (c) => c.listInvitations("acme", { limit: 5 }),
    "GET /api/v1/orgs/acme/invitations?limit=5",
    undefined,
    pageOf(INVITATION),
  ],
  [
    "invite",
    (c) => c.invite("acme", { email: "new@example.com", role: "developer" }),
    "POST /api/v1/orgs/acme/invitations",
    { email: "new@example.com", role: "developer" },
    INVITATION,
  ],
  [
    "revokeInvitation",
    (c) => c.revokeInvitation("acme", INVITATION.id),
    `DELETE /api/v1/orgs/acme/invitations/${INVITATION.id}`,
    undefined,
    undefined,
  ],
  [
    "listAudit",
    (c) => c.listAudit("acme", { action: "member.joined" }),
    "GET /api/v1/orgs/acme/audit?action=member.joined",
    undefined,
    pageOf(AUDIT),
  ],
]);

describeCalls("API tokens and connected agents", [
  ["listApiTokens", (c) => c.listApiTokens(), "GET /api/v1/api-tokens", undefined, pageOf(API_TOKEN)],
  [
    "listApiTokens of everyone",
    (c) => c.listApiTokens({ scope: "org", limit: 100, cursor: "more" }),
    "GET /api/v1/api-tokens?scope=org&limit=100&cursor=more",
    undefined,
    pageOf(API_TOKEN),
  ],
  [
    "createApiToken",
    (c) => c.createApiToken({ name: "ci", expires_at: AT }),
    "POST /api/v1/api-tokens",
    { name: "ci", expires_at: AT },
    { api_token: API_TOKEN, token: "svc_abcdef" },
  ],
  [
    "revokeApiToken",
    (c) => c.revokeApiToken(API_TOKEN.id),
    `DELETE /api/v1/api-tokens/${API_TOKEN.id}`,
    undefined,
    undefined,
  ],
  ["listGrants", (c) => c.listGrants({ scope: "org" }), "GET /api/v1/grants?scope=org", undefined, pageOf(GRANT)],
  ["revokeGrant", (c) => c.revokeGrant(GRANT.id), `DELETE /api/v1/grants/${GRANT.id}`, undefined, undefined],
]);

import { newId } from "@svc/platform/ids";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createIdentityFixture,
  type IdentityFixture,
  OPERATOR_TOKEN,
  type TestOrg,
} from "../testing/identity-fixture.ts";

let fixture: IdentityFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  org = await fixture.createTestOrg();
});

afterAll(() => fixture?.close());

const wanted = { staff: "helper@vendor.example", reason: "the owner asked about missing hits" };
const operator = (path: string, body?: object) =>
  fixture.call("POST", `/api/v1/admin/orgs/${path}`, OPERATOR_TOKEN, body);
const validate = async (token: string) =>
  (await fixture.call("POST", "/api/v1/tokens/validate", undefined, { token })).body;
const audit = async () =>
  (await fixture.call("GET", `/api/v1/orgs/${org.id}/audit?limit=100`, org.members.admin.token)).body.items;

describe("support sessions", () => {
  it("start read only, are raised, end; each step is an event or an entry that the organization sees", async () => {
    const { status, body } = await operator(`${org.id}/support-sessions`, wanted);
    expect([status, body.support_session.access]).toEqual([201, "read"]);
    expect(await validate(body.token)).toMatchObject({
      valid: true,
      kind: "support",
      role: "viewer",
      org: { id: org.id },
    });

    const { id } = body.support_session;
    expect(await operator(`${org.id}/support-sessions/${id}/elevate`)).toMatchObject({
      status: 200,
      body: { access: "write" },
    });
    expect((await validate(body.token)).role).toBe("admin");
    expect(await operator(`${org.id}/support-sessions/${id}/end`)).toMatchObject({
      status: 200,
      body: { ended_at: expect.any(String) },
    });
    expect((await validate(body.token)).valid).toBe(false);

    const { rows } = await sql<{
      type: string;
      subject: object;
    }>`select type, subject from identity.outbox order by id`.execute(fixture.context.db);
    const subject = { kind: "support_session", id };
    expect(rows).toEqual([
      { type: "org.support_access.started", subject },
      { type: "org.support_access.elevated", subject },
    ]);
    const entries = (await audit()).filter(({ action }: any) => action.startsWith("support_access"));
    expect(entries.map(({ action, actor }: any) => [action, actor.name])).toEqual([
      ["support_access.ended", wanted.staff],
      ["support_access.elevated", wanted.staff],
      ["support_access.started", wanted.staff],
    ]);
  });

  it("201 with a reason alone; who enters is then called support", async () => {
    const { status, body } = await operator(`${org.id}/support-sessions`, { reason: "asked to look" });
    expect([status, body.support_session.staff]).toEqual([201, "support"]);
  });

  it("404 for an unknown organization or session, or one that is over; 400 without a reason", async () => {
    expect((await operator(`${newId("org")}/support-sessions`, wanted)).status).toBe(404);
    expect((await operator(`${org.id}/support-sessions/${newId("sup")}/elevate`)).status).toBe(404);
    expect((await operator(`${org.id}/support-sessions`, { staff: "a@b.example", reason: "" })).status).toBe(400);
    const { body } = await operator(`${org.id}/support-sessions`, wanted);
    const path = `${org.id}/support-sessions/${body.support_session.id}`;
    await operator(`${path}/end`);
    expect((await operator(`${path}/elevate`)).status).toBe(404);
    expect((await operator(`${path}/end`)).status).toBe(404);
  });

  it("never make an owner, and cannot create tokens that outlive them", async () => {
    const { body } = await operator(`${org.id}/support-sessions`, wanted);
    await operator(`${org.id}/support-sessions/${body.support_session.id}/elevate`);
    expect((await fixture.call("POST", "/api/v1/api-tokens", body.token, { name: "stay" })).status).toBe(403);
    expect((await fixture.call("PATCH", `/api/v1/orgs/${org.id}`, body.token, { name: "Taken over" })).status).toBe(
      403,
    );
  });

  it("leave the name of who did something in the audit trail", async () => {
    const { body } = await operator(`${org.id}/support-sessions`, wanted);
    await operator(`${org.id}/support-sessions/${body.support_session.id}/elevate`);
    const own = await fixture.call("POST", "/api/v1/api-tokens", org.members.developer.token, { name: "leaked" });
    expect((await fixture.call("DELETE", `/api/v1/api-tokens/${own.body.api_token.id}`, body.token)).status).toBe(204);
    const [newest] = await audit();
    expect(newest).toMatchObject({
      action: "api_token.revoked",
      actor: { kind: "support", id: body.support_session.id, name: wanted.staff },
    });
  });
});

describe("the audit trail", () => {
  it("says who did what, to what, when and from where, newest first, in pages and by action", async () => {
    const { owner, viewer } = org.members;
    const headers = { authorization: `Bearer ${owner.token}`, "user-agent": "browser/1" };
    await fixture.app.inject({
      method: "PATCH",
      url: `/api/v1/orgs/${org.id}/members/${viewer.memberId}`,
      headers,
      payload: { role: "developer" },
    });
    const [newest] = await audit();
    expect(newest).toMatchObject({
      action: "member.role_changed",
      actor: { kind: "user", id: owner.userId, name: owner.email },
      target: { kind: "member", id: viewer.memberId, name: viewer.email },
      details: { from: "viewer", to: "developer" },
      address: "127.0.0.1",
      user_agent: "browser/1",
    });
    expect(Math.abs(Date.parse(newest.at) - Date.now())).toBeLessThan(60_000);

    const url = `/api/v1/orgs/${org.id}/audit?limit=3`;
    const first = (await fixture.call("GET", url, owner.token)).body;
    const second = (await fixture.call("GET", `${url}&cursor=${first.next_cursor}`, owner.token)).body;
    const ids = [...first.items, ...second.items].map(({ id }: any) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    const created = (await fixture.call("GET", `${url}&action=org.created`, owner.token)).body.items;
    expect(created.map(({ action }: any) => action)).toEqual(["org.created"]);
  });

  it("400: an action there is not", async () => {
    expect(
      (await fixture.call("GET", `/api/v1/orgs/${org.id}/audit?action=nothing`, org.members.owner.token)).status,
    ).toBe(400);
  });
});

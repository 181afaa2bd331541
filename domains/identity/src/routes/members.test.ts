import { newId } from "@svc/platform/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiToken } from "../api-tokens.ts";
import { BY_RULE } from "../context.ts";
import { createIdentityFixture, type IdentityFixture, NOWHERE, type TestOrg } from "../testing/identity-fixture.ts";

let fixture: IdentityFixture;
let org: TestOrg;

beforeAll(async () => {
  fixture = await createIdentityFixture();
});

beforeEach(async () => {
  org = await fixture.createTestOrg();
});

afterAll(() => fixture?.close());

const membersUrl = () => `/api/v1/orgs/${org.id}/members`;
const invitationsUrl = () => `/api/v1/orgs/${org.id}/invitations`;

describe("members", () => {
  it("200: are listed in pages, each once", async () => {
    const { token } = org.members.viewer;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { status, body }: { status: number; body: any } = await fixture.call(
        "GET",
        `${membersUrl()}?limit=2${cursor ? `&cursor=${cursor}` : ""}`,
        token,
      );
      expect(status).toBe(200);
      seen.push(...body.items.map((member: any) => member.user.email));
      cursor = body.next_cursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(
      Object.values(org.members)
        .map(({ email }) => email)
        .toSorted(),
    );
  });

  it.each(["limit=0", "limit=101", "limit=x", "cursor=nonsense", "other=1"])("400: ?%s", async (query) => {
    expect((await fixture.call("GET", `${membersUrl()}?${query}`, org.members.viewer.token)).status).toBe(400);
  });

  it("200: a changed role holds with the next validation, and others are told to forget", async () => {
    fixture.published.length = 0;
    const { memberId, token } = org.members.developer;
    const { status, body } = await fixture.call("PATCH", `${membersUrl()}/${memberId}`, org.members.owner.token, {
      role: "admin",
    });
    expect([status, body.role]).toEqual([200, "admin"]);
    const validation = await fixture.call("POST", "/api/v1/tokens/validate", undefined, { token });
    expect(validation.body.role).toBe("admin");
    expect(fixture.published).toEqual(["svc:revocations"]);
  });

  it("400 for an unknown role, 404 for an unknown member", async () => {
    const { token } = org.members.owner;
    expect(
      (await fixture.call("PATCH", `${membersUrl()}/${org.members.viewer.memberId}`, token, { role: "king" })).status,
    ).toBe(400);
    expect((await fixture.call("PATCH", `${membersUrl()}/${newId("mem")}`, token, { role: "viewer" })).status).toBe(
      404,
    );
    expect((await fixture.call("DELETE", `${membersUrl()}/${newId("mem")}`, token)).status).toBe(404);
  });

  it("204: removing a member ends their tokens of this organization at once, and only those", async () => {
    const { memberId, token, userId } = org.members.developer;
    const { body: own } = await fixture.call("POST", "/api/v1/orgs", token, { name: "Elsewhere" });
    const elsewhere = await createApiToken(
      fixture.context,
      { orgId: own.org.id, userId, name: "there" },
      BY_RULE,
      NOWHERE,
    );
    const validate = async (shown: string) =>
      (await fixture.call("POST", "/api/v1/tokens/validate", undefined, { token: shown })).body;

    expect((await fixture.call("DELETE", `${membersUrl()}/${memberId}`, org.members.owner.token)).status).toBe(204);
    expect(await validate(token)).toEqual({ valid: false, reason: "Invalid or expired API token" });
    expect(await validate(elsewhere.token)).toMatchObject({ valid: true, org: { id: own.org.id } });
  });

  it("204: everyone may leave, and below owner remove nobody else", async () => {
    const { viewer, admin } = org.members;
    expect(await fixture.call("DELETE", `${membersUrl()}/${viewer.memberId}`, admin.token)).toMatchObject({
      status: 403,
    });
    expect((await fixture.call("DELETE", `${membersUrl()}/${viewer.memberId}`, viewer.token)).status).toBe(204);
  });

  it("409: the last owner can neither leave nor be demoted", async () => {
    const { memberId, token } = org.members.owner;
    expect(await fixture.call("DELETE", `${membersUrl()}/${memberId}`, token)).toMatchObject({
      status: 409,
      body: { code: "LAST_OWNER" },
    });
    expect(await fixture.call("PATCH", `${membersUrl()}/${memberId}`, token, { role: "admin" })).toMatchObject({
      status: 409,
    });
  });

  it("two owners who leave at once do not leave an organization without one", async () => {
    const { owner, admin } = org.members;
    await fixture.call("PATCH", `${membersUrl()}/${admin.memberId}`, owner.token, { role: "owner" });
    const answers = await Promise.all([
      fixture.call("DELETE", `${membersUrl()}/${owner.memberId}`, owner.token),
      fixture.call("DELETE", `${membersUrl()}/${admin.memberId}`, admin.token),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });
});

describe("invitations", () => {
  it("201, 200, 204: are made by an owner for 7 days, listed while open and taken back", async () => {
    const { token } = org.members.owner;
    const made = await fixture.call("POST", invitationsUrl(), token, { email: "new@else.example", role: "developer" });
    expect(made).toMatchObject({
      status: 201,
      body: { email: "new@else.example", role: "developer", invited_by: org.members.owner.userId },
    });
    const days = (Date.parse(made.body.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect((await fixture.call("GET", invitationsUrl(), token)).body.items).toHaveLength(1);
    expect((await fixture.call("DELETE", `${invitationsUrl()}/${made.body.id}`, token)).status).toBe(204);
    expect((await fixture.call("DELETE", `${invitationsUrl()}/${made.body.id}`, token)).status).toBe(404);
  });

  it("a second invitation for an address replaces the first, whatever its case", async () => {
    const { token } = org.members.owner;
    await fixture.call("POST", invitationsUrl(), token, { email: "new@else.example", role: "developer" });
    await fixture.call("POST", invitationsUrl(), token, { email: "New@Else.example", role: "viewer" });
    const { body } = await fixture.call("GET", invitationsUrl(), token);
    expect(body.items.map(({ role }: any) => role)).toEqual(["viewer"]);
  });

  it("400 for no address, 409 for someone who is a member already", async () => {
    const { token } = org.members.owner;
    expect((await fixture.call("POST", invitationsUrl(), token, { email: "nobody", role: "viewer" })).status).toBe(400);
    expect(
      (await fixture.call("POST", invitationsUrl(), token, { email: org.members.viewer.email, role: "viewer" })).status,
    ).toBe(409);
  });
});

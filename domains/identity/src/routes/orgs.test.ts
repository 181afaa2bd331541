import { newId } from "@svc/platform/ids";
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

describe("POST /api/v1/orgs", () => {
  it("201: makes the caller the owner and derives the slug from the name", async () => {
    const { status, body } = await fixture.call("POST", "/api/v1/orgs", org.members.viewer.token, {
      name: "Société Générale & Co",
    });
    expect(status).toBe(201);
    expect(body.org).toMatchObject({ name: "Société Générale & Co", slug: "societe-generale-co", domains: [] });
    const memberships = await fixture.context.db
      .selectFrom("identity.memberships")
      .select("role")
      .where("role", "=", "owner")
      .execute();
    expect(memberships.length).toBe(2);
  });

  it("gives a second organization of the same name another slug", async () => {
    const create = () => fixture.call("POST", "/api/v1/orgs", org.members.viewer.token, { name: "Twin" });
    const slugs = (await Promise.all([create(), create(), create()])).map(({ body }) => body.org.slug);
    expect(new Set(slugs).size).toBe(3);
    for (const slug of slugs) expect(slug).toMatch(/^twin(-[0-9a-z]{5})?$/);
  });

  it.each([[{}], [{ name: "" }], [{ name: "x".repeat(201) }], [{ name: 7 }], [{ name: "ok", extra: 1 }]])(
    "400: %j",
    async (body) => {
      const answer = await fixture.call("POST", "/api/v1/orgs", org.members.viewer.token, body);
      expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST", problems: [expect.anything()] } });
    },
  );
});

describe("POST /api/v1/admin/orgs", () => {
  const create = (body: object) => fixture.call("POST", "/api/v1/admin/orgs", OPERATOR_TOKEN, body);

  it("201: with a name alone there is no owner yet", async () => {
    const { status, body } = await create({ name: "Bare" });
    expect([status, body.owner]).toEqual([201, undefined]);
  });

  it("201: creates the owner, and adds the same person to the next organization instead of making another", async () => {
    const first = await create({
      name: "One",
      domains: ["one.example"],
      admin_email: "Boss@One.example",
      admin_name: "Boss",
    });
    expect(first.body).toMatchObject({ org: { domains: ["one.example"] }, owner: { created: true, added: false } });
    const second = await create({ name: "Two", admin_email: "boss@one.example" });
    expect(second.body.owner).toEqual({ user_id: first.body.owner.user_id, created: false, added: true });
  });

  it("409: a domain belongs to one organization, and nothing is left of the second", async () => {
    await create({ name: "Claims", domains: ["claimed.example"] });
    expect(await create({ name: "Too late", domains: ["claimed.example"] })).toMatchObject({
      status: 409,
      body: { code: "DOMAIN_TAKEN" },
    });
    const left = await fixture.context.db
      .selectFrom("identity.orgs")
      .select("id")
      .where("name", "=", "Too late")
      .execute();
    expect(left).toEqual([]);
  });

  it.each(["gmail.com", "outlook.com", "yahoo.com", "proton.me"])(
    "400: %s is free mail and cannot be claimed",
    async (domain) => {
      const answer = await create({ name: "Free", domains: [domain] });
      expect(answer).toMatchObject({
        status: 400,
        body: { problems: [{ path: "domains", message: expect.stringContaining(domain) }] },
      });
    },
  );

  it.each(["EXAMPLE.com", "example", "*.example.com", "exa mple.com", "example.com.", "-a.com"])(
    "400: %s is no domain",
    async (domain) => {
      expect((await create({ name: "Odd", domains: [domain] })).status).toBe(400);
    },
  );

  it("two at once claim one domain: exactly one gets it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create({ name: `Race ${n}`, domains: ["race.example"] })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });
});

describe("GET and PATCH /api/v1/orgs/:org", () => {
  it("200: by id and by slug", async () => {
    const { token } = org.members.viewer;
    const byId = await fixture.call("GET", `/api/v1/orgs/${org.id}`, token);
    const bySlug = await fixture.call("GET", `/api/v1/orgs/${org.slug}`, token);
    expect(byId).toMatchObject({ status: 200, body: { id: org.id, slug: org.slug } });
    expect(bySlug.body).toEqual(byId.body);
  });

  it("200: an owner changes name and domains, and the slug stays", async () => {
    const change = { name: "Renamed", domains: ["acme.example", "acme.example"] };
    const { status, body } = await fixture.call("PATCH", `/api/v1/orgs/${org.id}`, org.members.owner.token, change);
    expect([status, body.name, body.slug, body.domains]).toEqual([200, "Renamed", org.slug, ["acme.example"]]);
  });

  it("404: an organization that is not there and one of others look the same", async () => {
    const other = await fixture.createTestOrg("Other");
    const { token } = org.members.owner;
    const hidden = await fixture.call("GET", `/api/v1/orgs/${other.id}`, token);
    const unknown = await fixture.call("GET", `/api/v1/orgs/${newId("org")}`, token);
    expect(hidden.status).toBe(404);
    expect(hidden.body).toEqual(unknown.body);
  });
});

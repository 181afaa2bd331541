import { isAtLeast, ROLES } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDomainUnderTest, type DomainUnderTest } from "./domain-under-test.ts";
import { ROUTES, urlOf } from "./routes-under-test.ts";

let domain: DomainUnderTest;

beforeAll(async () => {
  domain = await createDomainUnderTest();
});
afterAll(() => domain?.close());

describe.each(ROUTES)("$method $path", (route) => {
  const { method, path, minimum } = route;
  // What is not there is looked for only after the role was: nothing is changed, and the role alone decides.
  const past = path.includes("{") ? 404 : method === "POST" ? 400 : 200;

  it.each(ROLES.map((role) => [role, isAtLeast(role, minimum) ? past : 403] as const))(
    "as %s: %i",
    async (role, expected) => {
      const body = past === 400 ? {} : route.body;
      const { status, text } = await domain.call(method, urlOf(route, "absent"), domain.org.tokens[role], body);
      expect(status).toBe(expected);
      if (status === 403) {
        expect(text).toContain(`needs the role ${minimum}; yours is ${role}`);
        expect(text).not.toContain("absent");
      }
    },
  );

  it("as nobody, or with a token that nobody has: 401", async () => {
    for (const token of [undefined, "", "svc_unheard_of"]) {
      expect((await domain.call(method, urlOf(route, "notes"), token, route.body)).status).toBe(401);
    }
  });

  it("as the owner of another organization sees nothing of this one", async () => {
    const stranger = domain.createOrg().tokens.owner;
    const { status, text } = await domain.call(method, urlOf(route, "notes"), stranger, past === 400 ? {} : route.body);
    expect(status).toBe(past);
    expect(text).not.toContain("notes");
  });
});

import { isAtLeast, type Role, ROLES } from "@svc/contract";
import { newId } from "@svc/platform/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuardedRoute, ROUTE_ACCESS } from "../permissions.ts";
import {
  createIdentityFixture,
  type IdentityFixture,
  OPERATOR_TOKEN,
  type TestOrg,
} from "../testing/identity-fixture.ts";

let fixture: IdentityFixture;
let org: TestOrg;
let stranger: TestOrg;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  org = await fixture.createTestOrg("Matrix");
  stranger = await fixture.createTestOrg("Stranger");
});

afterAll(() => fixture?.close());

/** A request that gets past the guard and no further: ids that do not exist, bodies that are refused. */
function request(route: GuardedRoute): { method: "GET" | "POST" | "PATCH" | "DELETE"; url: string; body?: object } {
  const [method, path] = route.split(" ") as ["GET" | "POST" | "PATCH" | "DELETE", string];
  const url = path
    .replace("/admin/orgs/:org", `/admin/orgs/${newId("org")}`)
    .replace(":org", org.id)
    .replace(":member", newId("mem"))
    .replace(":invitation", newId("inv"))
    .replace(":token", newId("tok"))
    .replace(":grant", newId("grt"))
    .replace(":session", newId("sup"));
  return method === "GET" || method === "DELETE" ? { method, url } : { method, url, body: {} };
}

/** Below the role: 403. From it on: whatever the request deserves; a 403 only where one may remove nobody but oneself. */
function expectedStatuses(route: GuardedRoute, isAllowed: boolean): number[] {
  if (!isAllowed) return [403];
  return route.startsWith("DELETE") ? [403, 404] : [200, 400, 404];
}

const routes = Object.entries(ROUTE_ACCESS) as [GuardedRoute, (typeof ROUTE_ACCESS)[GuardedRoute]][];
const forRoles = routes.filter(([, access]) => (ROLES as readonly string[]).includes(access)) as [GuardedRoute, Role][];

describe("the access table", () => {
  it("names every route there is, and no other", () => {
    const registered = fixture.app
      .printRoutes({ commonPrefix: false, includeHooks: false })
      .split("\n")
      .filter((line) => line.includes("("));
    const count = registered
      .flatMap((line) => /\(([A-Z, ]+)\)/.exec(line)?.[1]?.split(", ") ?? [])
      .filter((method) => method !== "HEAD").length;
    // One more is the description of the API itself.
    expect(count).toBe(routes.length + 1);
    for (const [route] of routes) {
      const [method, url] = route.split(" ") as ["GET", string];
      expect([route, fixture.app.hasRoute({ method, url })]).toEqual([route, true]);
    }
  });

  it.each(forRoles.flatMap(([route, access]) => ROLES.map((role) => [route, role, access] as const)))(
    "%s as %s (needs %s)",
    async (route, role, access) => {
      const { method, url, body } = request(route);
      const { status } = await fixture.call(method, url, org.members[role].token, body);
      expect(expectedStatuses(route, isAtLeast(role, access))).toContain(status);
    },
  );

  it.each(routes.filter(([, access]) => access !== "anyone"))("%s without a credential is 401", async (route) => {
    const { method, url, body } = request(route);
    const answer = await fixture.call(method, url, undefined, body);
    expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
  });

  it.each(forRoles.filter(([route]) => route.includes(":org")))(
    "%s of another organization is 404, even for its owner",
    async (route) => {
      const { method, url, body } = request(route);
      const { status } = await fixture.call(method, url, stranger.members.owner.token, body);
      expect(status).toBe(404);
    },
  );

  it.each(routes.filter(([, access]) => access === "operator"))(
    "%s refuses an owner and lets the operator in",
    async (route) => {
      const { method, url, body } = request(route);
      expect((await fixture.call(method, url, org.members.owner.token, body)).status).toBe(401);
      expect((await fixture.call(method, url, `${OPERATOR_TOKEN}x`, body)).status).toBe(401);
      expect([400, 404]).toContain((await fixture.call(method, url, OPERATOR_TOKEN, body)).status);
    },
  );
});

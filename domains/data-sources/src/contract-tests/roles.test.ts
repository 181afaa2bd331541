import { isAtLeast, ROLES, SCOPES } from "@svc/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDomainUnderTest, type DomainUnderTest } from "./testing/domain-under-test.ts";
import { isSlim, ROUTES, urlOf } from "./testing/routes-under-test.ts";

let domain: DomainUnderTest;

beforeAll(async () => {
  domain = await createDomainUnderTest();
});
afterAll(() => domain?.close());

describe.each(ROUTES)("$method $path", (route) => {
  const { method, path, minimum } = route;
  // What is not there is looked for only after the role was: nothing is changed, and the role alone decides.
  const past = path.includes("{") ? 404 : method === "POST" ? 400 : 200;

  const [allowed, refused] = [true, false].map((is) => ROLES.filter((role) => isAtLeast(role, minimum) === is));
  const callAs = (token: string | undefined, database = "absent") =>
    domain.call(method, urlOf(route, database), token, past === 400 ? {} : route.body);

  it.each(allowed ?? [])("lets %s through", async (role) => {
    expect((await callAs(domain.org.tokens[role])).status).toBe(past);
  });

  it.each(refused ?? [])("turns %s away with 403, before it looks for anything", async (role) => {
    const answer = await callAs(domain.org.tokens[role]);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(`needs the role ${minimum}; yours is ${role}`);
    expect(answer.text).toBe((await callAs(domain.org.tokens[role], "notes")).text);
  });

  it("lets an agent through only where sources are asked, and only with the scope for it, however high its person ranks", async () => {
    const call = async (agent: string): Promise<number> => (await callAs(agent)).status;
    expect(await call(domain.addAgent([...SCOPES]))).toBe(isSlim(route) ? past : 403);
    expect(await call(domain.addAgent(["data:read"]))).toBe(isSlim(route) ? past : 403);
    expect(await call(domain.addAgent(SCOPES.filter((scope) => scope !== "data:read")))).toBe(403);
    expect(await call(domain.addAgent([]))).toBe(403);
  });

  it("turns away with 401 who has no token, or one that nobody has", async () => {
    for (const token of [undefined, "", "svc_unheard_of"]) expect((await callAs(token, "notes")).status).toBe(401);
  });

  it("shows the owner of another organization nothing of this one", async () => {
    const { status, text } = await callAs(domain.createOrg().tokens.owner, "notes");
    expect(status).toBe(past);
    expect(text).not.toContain("notes");
  });
});

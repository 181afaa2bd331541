import { type Role, ROLES } from "@svc/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthStandIn, silentLogger, startAuthStandIn, validAnswer } from "../testing/index.ts";
import { callerOf, requireCaller, requireRole } from "./authenticate.ts";
import { createServer, type Server } from "./create-server.ts";
import { createAuthenticator } from "./validate-token.ts";

let auth: AuthStandIn;
let app: Server;

beforeAll(async () => {
  auth = await startAuthStandIn();
  const known = requireCaller(createAuthenticator({ authServiceUrl: auth.url }));
  app = await createServer({ log: silentLogger(), title: "a test", bodyLimitBytes: 100 });
  app.post("/me", { onRequest: known }, async (request) => callerOf(request));
  app.get("/careless", async (request) => callerOf(request));
  for (const role of ROLES) app.get(`/for/${role}`, { onRequest: [known, requireRole(role)] }, async () => ({ role }));
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await auth.close();
});
beforeEach(() => {
  auth.asked = [];
});

const post = (authorization?: string, payload = "{}") =>
  app.inject({
    method: "POST",
    url: "/me",
    headers: { "content-type": "application/json", ...(authorization !== undefined && { authorization }) },
    payload,
  });

describe("the Authorization header", () => {
  it.each([undefined, "", "Bearer", "Bearer ", "Bearer a b", "Basic dTpw", "svc_token", "Bearer,svc_token"])(
    "%j is refused without asking the auth service, with how to do it right",
    async (authorization) => {
      const answer = await post(authorization);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      expect(answer.json()).toMatchObject({
        code: "UNAUTHENTICATED",
        detail: "Send an API token or a user token in the header `Authorization: Bearer <token>`.",
      });
      expect(auth.asked).toEqual([]);
    },
  );

  it.each(["Bearer", "bearer", "BEARER"])("with the scheme written %s gives the handler its caller", async (scheme) => {
    auth.answer = () => validAnswer(0, "admin");
    const answer = await post(`${scheme} svc_token`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ kind: "api_token", role: "admin", org: { slug: "acme" } });
    expect(auth.asked).toEqual(["svc_token"]);
  });

  it("with a token that is refused is answered with the reason and a challenge", async () => {
    auth.answer = () => ({ body: { valid: false, reason: "Invalid or expired API token" } });
    const answer = await post("Bearer svc_token");
    expect(answer.statusCode).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.json().detail).toBe("Invalid or expired API token");
  });

  it("is looked at before the body is read", async () => {
    expect((await post(undefined, `"${"x".repeat(200)}"`)).statusCode).toBe(401);
    expect((await post(undefined, "{")).statusCode).toBe(401);
  });

  it("gets a 503 with when to try again while the auth service fails", async () => {
    auth.answer = () => ({ status: 500, body: {} });
    const answer = await post("Bearer svc_token");
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
  });
});

describe("a role", () => {
  /** For each role, the doors that open to it. */
  const OPEN: Record<Role, Role[]> = {
    viewer: ["viewer", "member"],
    member: ["viewer", "member"],
    developer: ["viewer", "member", "developer"],
    admin: ["viewer", "member", "developer", "admin"],
    owner: ["viewer", "member", "developer", "admin", "owner"],
  };

  it.each(ROLES.flatMap((role) => ROLES.map((minimum) => [role, minimum, OPEN[role].includes(minimum)] as const)))(
    "%s gets through the door for %s: %s",
    async (role, minimum, isOpen) => {
      auth.answer = () => validAnswer(0, role);
      const answer = await app.inject({ url: `/for/${minimum}`, headers: { authorization: "Bearer svc_token" } });
      expect(answer.statusCode).toBe(isOpen ? 200 : 403);
      const detail = `This needs the role ${minimum}; yours is ${role}. Ask an owner of the organization.`;
      expect(answer.json().detail).toBe(isOpen ? undefined : detail);
    },
  );
});

describe("a route that forgot to require a caller", () => {
  it("fails instead of serving a stranger", async () => {
    const answer = await app.inject({ url: "/careless", headers: { authorization: "Bearer svc_token" } });
    expect(answer.statusCode).toBe(500);
  });
});

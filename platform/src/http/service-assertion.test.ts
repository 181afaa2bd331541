import { type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "../testing/index.ts";
import { createServer, type Server } from "./create-server.ts";
import { requireService, signServiceAssertion } from "./service-assertion.ts";

const SECRET = "a".repeat(64);
const EXPECTED = { from: "auth-service", to: "api-gateway", right: "events:ingest" } as const;
const NOW = Math.floor(Date.now() / 1_000);
const CLAIMS: JWTPayload = { iss: EXPECTED.from, aud: EXPECTED.to, right: EXPECTED.right, iat: NOW, exp: NOW + 60 };
const HEADER: JWTHeaderParameters = { alg: "HS256", typ: "svc-service+jwt" };

const sign = (claims: JWTPayload, header = HEADER, secret = SECRET): Promise<string> =>
  new SignJWT(claims).setProtectedHeader(header).sign(Buffer.from(secret, "hex"));

let app: Server;
beforeAll(async () => {
  app = await createServer({ log: silentLogger(), title: "a test" });
  app.get("/internal", { onRequest: requireService(SECRET, EXPECTED) }, async () => ({ in: true }));
  await app.ready();
});
afterAll(() => app.close());

const call = (authorization?: string) =>
  app.inject({ url: "/internal", headers: { ...(authorization && { authorization }) } });

describe("a door for one service", () => {
  it("lets in the service that signed with the shared secret", async () => {
    expect((await call(`Bearer ${await signServiceAssertion(SECRET, EXPECTED)}`)).statusCode).toBe(200);
    expect((await call(`Bearer ${await sign(CLAIMS)}`)).statusCode).toBe(200);
  });

  it.each<[string, () => string | Promise<string>]>([
    ["signed with another secret", () => sign(CLAIMS, HEADER, "b".repeat(64))],
    ["meant for another service", () => sign({ ...CLAIMS, aud: "deploy-api" })],
    ["meant for nobody", () => sign({ ...CLAIMS, aud: undefined })],
    ["from another service", () => sign({ ...CLAIMS, iss: "worker" })],
    ["for another right", () => sign({ ...CLAIMS, right: "events:read" })],
    ["for no right", () => sign({ ...CLAIMS, right: undefined })],
    ["expired", () => sign({ ...CLAIMS, iat: NOW - 50, exp: NOW - 10 })],
    ["signed too long ago, whatever its expiry", () => sign({ ...CLAIMS, iat: NOW - 3_600, exp: NOW + 3_600 })],
    ["signed in the future", () => sign({ ...CLAIMS, iat: NOW + 3_600, exp: NOW + 3_660 })],
    ["without an expiry", () => sign({ ...CLAIMS, exp: undefined })],
    ["without a time of signing", () => sign({ ...CLAIMS, iat: undefined })],
    ["of another type, such as a user's token", () => sign(CLAIMS, { alg: "HS256", typ: "JWT" })],
    ["of no type", () => sign(CLAIMS, { alg: "HS256" })],
    ["signed with HS512", () => sign(CLAIMS, { ...HEADER, alg: "HS512" })],
    ["not signed at all", () => new UnsecuredJWT(CLAIMS).encode()],
    ["with its signature cut off", async () => (await sign(CLAIMS)).replace(/[^.]*$/, "")],
    ["that is no JWT", () => "svc_token"],
  ])("stays closed to an assertion %s", async (_what, make) => {
    const answer = await call(`Bearer ${await make()}`);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.json()).toMatchObject({
      code: "UNAUTHENTICATED",
      detail: "Only auth-service may call this address.",
    });
  });

  it("stays closed to those who bring nothing", async () => {
    expect((await call()).statusCode).toBe(401);
  });
});

import { createHmac, randomBytes } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { newId } from "../ids/index.ts";
import { type Actor, isActorAssertion, readActorAssertion, signActorAssertion } from "./actor-assertion.ts";

const SECRET = randomBytes(32).toString("hex");
const OTHER_SECRET = randomBytes(32).toString("hex");
const ACTOR: Actor = {
  userId: newId("usr"),
  orgId: newId("org"),
  clientId: "https://agent.example/client.json",
  grantId: newId("grt"),
  scopes: ["data:read", "apps:read"],
};
const HEADER = { alg: "HS256", typ: "svc-actor+jwt" };

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
const signed = (header: object, claims: unknown, secret = SECRET): string => {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", Buffer.from(secret, "hex")).update(text).digest("base64url")}`;
};
const claimsOf = async (): Promise<Record<string, unknown>> => decodeJwt(await signActorAssertion(SECRET, ACTOR));

describe("an assertion", () => {
  it("says for whom, through which agent and by which grant, and has an id of its own", async () => {
    const first = await readActorAssertion(SECRET, await signActorAssertion(SECRET, ACTOR));
    const second = await readActorAssertion(SECRET, await signActorAssertion(SECRET, ACTOR));
    expect(first).toMatchObject(ACTOR);
    expect(first?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(first?.assertionId).not.toBe(second?.assertionId);
  });

  it("is a JWT as others read and write it", async () => {
    const token = await signActorAssertion(SECRET, ACTOR);
    expect(decodeProtectedHeader(token)).toEqual(HEADER);
    const key = Buffer.from(SECRET, "hex");
    const { payload } = await jwtVerify(token, key, { issuer: "mcp-server", audience: "auth-service" });
    const again = await new SignJWT(payload).setProtectedHeader(HEADER).sign(key);
    expect(await readActorAssertion(SECRET, again)).toMatchObject(ACTOR);
  });

  it("is told from other tokens by its header alone", async () => {
    expect(isActorAssertion(await signActorAssertion(OTHER_SECRET, ACTOR))).toBe(true);
    for (const other of ["", "svc_x", "a.b.c", signed({ alg: "HS256", typ: "at+jwt" }, {})]) {
      expect(isActorAssertion(other)).toBe(false);
    }
  });
});

describe("an assertion is refused", () => {
  const now = Math.floor(Date.now() / 1_000);
  it.each([
    ["for another audience", { aud: "api-gateway" }],
    ["for several audiences", { aud: ["auth-service", "api-gateway"] }],
    ["of another issuer", { iss: "api-gateway" }],
    ["older than a minute, whatever it says of its end", { iat: now - 70, exp: now + 600 }],
    ["past its end", { iat: now - 30, exp: now - 10 }],
    ["that has not begun", { iat: now + 60, exp: now + 120 }],
    ["without a beginning", { iat: undefined }],
    ["without an end", { exp: undefined }],
    ["with an end in words", { exp: "2099" }],
    ["without an id", { jti: undefined }],
    ["with an empty id", { jti: "" }],
    ["of nobody", { sub: undefined }],
    ["of a person who is none", { sub: "usr_x" }],
    ["of no organization", { org: undefined }],
    ["of no grant", { grant_id: 7 }],
    ["of no client", { client_id: undefined }],
    ["with scopes in words", { scopes: "data:read" }],
  ])("%s", async (_what, change) => {
    const token = signed(HEADER, { ...(await claimsOf()), ...change });
    expect(await readActorAssertion(SECRET, token)).toBeUndefined();
  });

  it.each([
    ["another type", { alg: "HS256", typ: "at+jwt" }],
    ["another algorithm", { alg: "HS512", typ: "svc-actor+jwt" }],
    ["no algorithm", { alg: "none", typ: "svc-actor+jwt" }],
    ["something to be understood", { ...HEADER, crit: ["b64"], b64: false }],
    ["a key of its own", { ...HEADER, jwk: { kty: "oct", k: "AAAA" } }],
  ])("with %s in its header", async (_what, header) => {
    expect(await readActorAssertion(SECRET, signed(header, await claimsOf()))).toBeUndefined();
  });

  it("signed with another secret, changed, cut or drawn out", async () => {
    const token = await signActorAssertion(SECRET, ACTOR);
    const [header = "", claims = "", signature = ""] = token.split(".");
    const forged = encode({ ...(await claimsOf()), org: newId("org") });
    for (const wrong of [
      await signActorAssertion(OTHER_SECRET, ACTOR),
      `${header}.${forged}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${token}.`,
      `${token}=`,
      `${token}.${signature}`,
      `${header}.${claims}.${signature.slice(0, -1)}`,
      `${header}.${claims}.${signature.toUpperCase()}`,
      ` ${token}`,
      "..",
      "",
    ]) {
      expect(await readActorAssertion(SECRET, wrong)).toBeUndefined();
    }
  });

  it("whose claims are none, though it is signed", async () => {
    for (const claims of [null, 7, "text", []]) {
      expect(await readActorAssertion(SECRET, signed(HEADER, claims))).toBeUndefined();
    }
    const text = `${encode(HEADER)}.${Buffer.from("{").toString("base64url")}`;
    const signature = createHmac("sha256", Buffer.from(SECRET, "hex")).update(text).digest("base64url");
    expect(await readActorAssertion(SECRET, `${text}.${signature}`)).toBeUndefined();
  });
});

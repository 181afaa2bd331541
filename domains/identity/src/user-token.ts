import type { Id } from "@svc/contract";
import { errors, jwtVerify, SignJWT } from "jose";
import type { TokenKeys } from "./token-keys.ts";

const USER_TOKEN_SECONDS = 15 * 60;

export const ISSUER = "svc-auth";
const AUDIENCE = "svc";
const TYPE = "svc-user+jwt";

export interface UserTokenClaims {
  userId: Id<"usr">;
  sessionId: Id<"ses">;
  /** One organization at a time; a person who is in none yet has a token without. */
  orgId?: Id<"org">;
  expiresAt: Date;
}

export async function signUserToken(
  keys: TokenKeys,
  claims: Omit<UserTokenClaims, "expiresAt">,
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date((Math.floor(Date.now() / 1_000) + USER_TOKEN_SECONDS) * 1_000);
  const token = await new SignJWT({ sid: claims.sessionId, ...(claims.orgId && { org: claims.orgId }) })
    .setProtectedHeader({ alg: "EdDSA", typ: TYPE, kid: keys.userToken.keyId })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.userId)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(keys.userToken.privateKey);
  return { token, expiresAt };
}

/** Undefined for anything that this service, with these keys, did not sign or that has ended. */
export async function readUserToken(keys: TokenKeys, token: string): Promise<UserTokenClaims | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys.userToken.publicKey, {
      algorithms: ["EdDSA"],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "sid", "exp"],
    });
    if (protectedHeader.kid !== keys.userToken.keyId) return undefined;
    return {
      userId: payload.sub as Id<"usr">,
      sessionId: payload["sid"] as Id<"ses">,
      ...(payload["org"] !== undefined && { orgId: payload["org"] as Id<"org"> }),
      expiresAt: new Date((payload.exp ?? 0) * 1_000),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

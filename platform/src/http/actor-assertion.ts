import { randomUUID } from "node:crypto";
import { type Id, idSchema } from "@svc/contract";
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";

/** For whom, through which agent and by which grant a service acts. */
export interface Actor {
  userId: Id<"usr">;
  orgId: Id<"org">;
  clientId: string;
  grantId: Id<"grt">;
  scopes: string[];
}

/** One that was found good. It is to be used once: whoever takes it must remember its id until it expires. */
export interface ReadActorAssertion extends Actor {
  assertionId: string;
  expiresAt: Date;
}

const LIFETIME_SECONDS = 60;
const TYPE = "svc-actor+jwt";
const AUDIENCE = "auth-service";
const ISSUER = "mcp-server";

/** Stands in for the agent's own token, which never leaves the service it was shown to. The secret is 32 bytes as hex. */
export async function signActorAssertion(secret: string, actor: Actor): Promise<string> {
  return new SignJWT({ org: actor.orgId, client_id: actor.clientId, grant_id: actor.grantId, scopes: actor.scopes })
    .setProtectedHeader({ alg: "HS256", typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(actor.userId)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_SECONDS}s`)
    .sign(Buffer.from(secret, "hex"));
}

/** By its header alone, so that other tokens need not be tried with this secret. */
export function isActorAssertion(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === TYPE;
  } catch {
    return false;
  }
}

/** Undefined where anything is wrong: signature, audience, age. */
export async function readActorAssertion(secret: string, token: string): Promise<ReadActorAssertion | undefined> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret, "hex"), {
      algorithms: ["HS256"],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      // Whatever it says of its own end.
      maxTokenAge: LIFETIME_SECONDS,
      // Two machines' clocks are never quite the same.
      clockTolerance: 5,
      requiredClaims: ["exp", "iat", "sub", "jti"],
    });
    const userId = idSchema("usr").safeParse(payload.sub);
    const orgId = idSchema("org").safeParse(payload["org"]);
    const grantId = idSchema("grt").safeParse(payload["grant_id"]);
    const { scopes } = payload as { scopes?: unknown };
    const isWhole = userId.success && orgId.success && grantId.success && Array.isArray(scopes);
    if (!isWhole || typeof payload.aud !== "string" || !payload.jti) return undefined;
    return {
      userId: userId.data,
      orgId: orgId.data,
      grantId: grantId.data,
      clientId: String(payload["client_id"]),
      scopes: scopes.map(String),
      assertionId: payload.jti,
      expiresAt: new Date((payload.exp ?? 0) * 1_000),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

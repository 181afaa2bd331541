import type { FastifyRequest } from "fastify";
import { errors, jwtVerify, SignJWT } from "jose";
import { AppError } from "../errors/index.ts";
import { bearerToken } from "./authenticate.ts";

/** What one service may ask of another, beyond what a caller's own token allows. */
type ServiceRight = "events:ingest";

const LIFETIME_SECONDS = 60;
const TYPE = "svc-service+jwt";

interface Assertion {
  from: string;
  to: string;
  right: ServiceRight;
}

/** The secret is 32 bytes as hex, shared by the services and nobody else. */
export async function signServiceAssertion(secret: string, { from, to, right }: Assertion): Promise<string> {
  return new SignJWT({ right })
    .setProtectedHeader({ alg: "HS256", typ: TYPE })
    .setIssuer(from)
    .setAudience(to)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_SECONDS}s`)
    .sign(Buffer.from(secret, "hex"));
}

/** An `onRequest` hook that lets in the named service alone. */
export function requireService(secret: string, expected: Assertion): (request: FastifyRequest) => Promise<void> {
  const key = Buffer.from(secret, "hex");
  return async (request) => {
    const token = bearerToken(request);
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        typ: TYPE,
        issuer: expected.from,
        audience: expected.to,
        maxTokenAge: LIFETIME_SECONDS,
        requiredClaims: ["exp", "iat"],
      });
      if (payload["right"] === expected.right) return;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
    throw new AppError("UNAUTHENTICATED", `Only ${expected.from} may call this address.`);
  };
}

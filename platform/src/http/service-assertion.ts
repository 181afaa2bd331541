import type { FastifyRequest } from "fastify";
import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { AppError } from "../errors/index.ts";
import { bearerToken } from "./authenticate.ts";

/** What one service may ask of another, beyond what a caller's own token allows. */
type ServiceRight = "events:ingest" | "tokens:validate";

/** Beside a body that holds someone else's credential, so that the two cannot be mistaken for each other. */
export const SERVICE_HEADER = "x-svc-service";

const LIFETIME_SECONDS = 60;
const RENEW_AFTER_MS = 30_000;
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

/** An assertion for many requests: signed anew when it is half way through its life. */
export function keepServiceAssertion(secret: string, assertion: Assertion): () => Promise<string> {
  let kept: { signed: Promise<string>; at: number } | undefined;
  return async () => {
    if (!kept || performance.now() - kept.at > RENEW_AFTER_MS) {
      kept = { signed: signServiceAssertion(secret, assertion), at: performance.now() };
    }
    return kept.signed;
  };
}

/** An `onRequest` hook that lets in the named service alone. */
export function requireService(secret: string, expected: Assertion): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (await isValid(secret, bearerToken(request), { to: expected.to, right: expected.right }, expected.from)) return;
    throw new AppError("UNAUTHENTICATED", `Only ${expected.from} may call this address.`);
  };
}

/** Whether a request names itself, in a header of its own, as one of our services with this right. */
export function recognizeService(
  secret: string,
  expected: Omit<Assertion, "from">,
): (request: FastifyRequest) => Promise<boolean> {
  // The same assertion comes with every request for half a minute.
  const known = new LRUCache<string, true>({ max: 100, ttl: RENEW_AFTER_MS });
  return async (request) => {
    const assertion = request.headers[SERVICE_HEADER];
    if (typeof assertion !== "string") return false;
    if (known.has(assertion)) return true;
    const valid = await isValid(secret, assertion, expected);
    if (valid) known.set(assertion, true);
    return valid;
  };
}

async function isValid(
  secret: string,
  assertion: string,
  expected: Omit<Assertion, "from">,
  from?: string,
): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(assertion, Buffer.from(secret, "hex"), {
      algorithms: ["HS256"],
      typ: TYPE,
      ...(from && { issuer: from }),
      audience: expected.to,
      maxTokenAge: LIFETIME_SECONDS,
      // Two machines' clocks are never quite the same.
      clockTolerance: 5,
      requiredClaims: ["exp", "iat"],
    });
    return payload["right"] === expected.right;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

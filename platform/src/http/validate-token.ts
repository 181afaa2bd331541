import { hash } from "node:crypto";
import {
  type Caller,
  type TokenValidation,
  validateTokenRequestSchema,
  validateTokenResponseSchema,
} from "@svc/contract";
import { LRUCache } from "lru-cache";
import type { Cache } from "../cache/index.ts";
import { AppError } from "../errors/index.ts";
import { counter } from "../telemetry/index.ts";
import { exchange } from "./exchange.ts";
import { listenForRevocations } from "./revocations.ts";
import { SERVICE_HEADER } from "./service-assertion.ts";

export interface Authenticator {
  /** Who a bearer token stands for; throws UNAUTHENTICATED, or UNAVAILABLE while the auth service does not answer. */
  authenticate(token: string): Promise<Caller>;
}

interface AuthenticatorOptions {
  authServiceUrl: string;
  /** Brings revocations at once. Without it, or while it is away, answers are kept for half a second only. */
  cache?: Cache;
  timeoutMs?: number;
  /** Says that it is a service of ours that asks, which is not turned away for the bad tokens others show it. */
  serviceAssertion?: () => Promise<string>;
}

const MS_WITHOUT_REVOCATIONS = 500;

const validations = counter("svc_token_validations_total", "Bearer tokens looked up by where the answer came from.");

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { authServiceUrl, cache, timeoutMs = 3_000, serviceAssertion } = options;
  const address = new URL("/api/v1/tokens/validate", authServiceUrl);
  const callers = new LRUCache<string, { caller: Caller; since: number }>({ max: 10_000 });
  const inFlight = new Map<string, Promise<Caller>>();
  let generation = 0;
  const forget = (): void => {
    generation += 1;
    callers.clear();
    // Whoever comes from now on asks anew; those who wait already get the answer they asked for.
    inFlight.clear();
  };
  const revocations = cache && listenForRevocations(cache, forget);

  const ask = async (token: string, key: string): Promise<Caller> => {
    // The auth service would answer 400, which looks as if it were it that failed.
    if (!validateTokenRequestSchema.safeParse({ token }).success) {
      throw new AppError("UNAUTHENTICATED", "This is too long to be a token.");
    }
    const askedIn = generation;
    const answer = await fetchValidation(address, token, timeoutMs, await serviceAssertion?.());
    validations.add({ source: "auth_service" });
    if (!answer.valid) throw new AppError("UNAUTHENTICATED", answer.reason);
    const { valid: _valid, cache_seconds, ...caller } = answer;
    // A revocation that arrived while we asked may be newer than the answer.
    if (cache_seconds > 0 && askedIn === generation) {
      callers.set(key, { caller, since: performance.now() }, { ttl: cache_seconds * 1_000 });
    }
    return caller;
  };

  return {
    authenticate: async (token) => {
      // The token itself is not kept, so that a memory dump does not hold those of the last minutes.
      const key = hash("sha256", token, "base64");
      const known = callers.get(key);
      if (known && (revocations?.isLive() || performance.now() - known.since < MS_WITHOUT_REVOCATIONS)) {
        validations.add({ source: "cache" });
        return known.caller;
      }
      const asked = inFlight.get(key);
      if (asked) return asked;
      const asking = ask(token, key).finally(() => {
        if (inFlight.get(key) === asking) inFlight.delete(key);
      });
      inFlight.set(key, asking);
      return asking;
    },
  };
}

async function fetchValidation(
  address: URL,
  token: string,
  timeoutMs: number,
  assertion: string | undefined,
): Promise<TokenValidation> {
  try {
    const { status, text } = await exchange(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(assertion && { [SERVICE_HEADER]: assertion }),
      },
      body: JSON.stringify({ token }),
      timeoutMs,
    });
    if (status !== 200) throw new Error(`the auth service answered ${status}`);
    return validateTokenResponseSchema.parse(JSON.parse(text));
  } catch (error) {
    validations.add({ source: "unavailable" });
    throw new AppError("UNAVAILABLE", "The auth service cannot be reached right now. Try again shortly.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
}

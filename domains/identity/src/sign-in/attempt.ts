import { EncryptJWT, errors, jwtDecrypt } from "jose";
import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import type { TokenKeys } from "../token-keys.ts";
import type { ProviderName } from "./settings.ts";

/** What must be remembered while a person is away at a provider. */
export interface Attempt {
  provider: ProviderName;
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectTo: string;
}

export const ATTEMPT_SECONDS = 600;
const AUDIENCE = "svc sign-in attempt";
const STATE = /^[A-Za-z0-9_-]{43}$/;

export function newAttempt(provider: ProviderName, redirectTo: string): Attempt {
  return {
    provider,
    state: randomState(),
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
    redirectTo,
  };
}

/** One cookie for each attempt, so that two tabs do not disturb each other. Undefined for what cannot be a state. */
export function findAttemptCookie(state: string): string | undefined {
  return STATE.test(state) ? `svc_sign_in_${state.slice(0, 16)}` : undefined;
}

/**
 * The browser keeps the attempt for us, unreadable to it. Nothing is stored here: whoever opens the sign-in page a
 * million times fills no table.
 */
export async function sealAttempt({ cookieKey }: TokenKeys, attempt: Attempt): Promise<string> {
  return new EncryptJWT({ ...attempt })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${ATTEMPT_SECONDS}s`)
    .encrypt(cookieKey);
}

/** Undefined for what was not sealed here, was sealed with other keys, or is too old. */
export async function openAttempt({ cookieKey }: TokenKeys, sealed: string): Promise<Attempt | undefined> {
  try {
    const { payload } = await jwtDecrypt<Attempt>(sealed, cookieKey, {
      audience: AUDIENCE,
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
      requiredClaims: ["exp"],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

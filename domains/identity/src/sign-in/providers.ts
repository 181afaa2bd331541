import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  ClientSecretPost,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
} from "openid-client";
import type { Attempt } from "./attempt.ts";
import { type Account, readGoogleAccount, readMicrosoftAccount } from "./read-account.ts";
import { SignInRefused } from "./refusal.ts";
import { PROVIDER_NAMES, type ProviderName, type SignInSettings } from "./settings.ts";
import type { Claims } from "./vouch-for-email.ts";

const TIMEOUT_SECONDS = 5;
/** Endpoints move rarely; keys are looked up anew by themselves. */
const METADATA_LIFETIME_MS = 3_600_000;
/** What a provider answers when the fault is on its side, RFC 6749 section 4.1.2.1. */
const PASSING_ERRORS = new Set(["server_error", "temporarily_unavailable"]);
/** The library's codes for an answer that came too late, or was not one of the protocol's. */
const NO_ANSWER = new Set(["OAUTH_TIMEOUT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"]);

export interface Provider {
  name: ProviderName;
  /** Where its sign-in page is. */
  origin: string;
  /** The address to send a person to. */
  startAt(attempt: Attempt): Promise<URL>;
  /** Who came back. `search` is the query of the address they came back to. */
  finish(attempt: Attempt, search: string): Promise<Account>;
}

type Providers = ReadonlyMap<ProviderName, Provider>;

export function createProviders(settings: SignInSettings, fetch?: CustomFetch): Providers {
  const providers = PROVIDER_NAMES.map((name) => createProvider(name, settings, fetch)).filter(
    (provider) => provider !== undefined,
  );
  return new Map(providers.map((provider) => [provider.name, provider]));
}

function createProvider(name: ProviderName, settings: SignInSettings, fetch?: CustomFetch): Provider | undefined {
  const provider = settings[name];
  if (!provider) return undefined;
  const { clientId, clientSecret, issuer } = provider;
  const redirectUri = `${settings.baseUrl}/auth/${name}/callback`;
  const configuration = cached(() =>
    discovery(issuer, clientId, clientSecret, ClientSecretPost(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      // The token comes straight from the provider, which the standard takes for proof; the signature is a second one.
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
      ...(fetch && { [customFetch]: fetch }),
    }),
  );
  const readAccount = (claims: Claims): Account =>
    name === "microsoft" ? readMicrosoftAccount(claims, settings.microsoft?.tenantId ?? "") : readGoogleAccount(claims);

  return {
    name,
    origin: issuer.origin,
    startAt: async ({ state, nonce, codeVerifier }) =>
      buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
        // Otherwise who signed in with the wrong account is sent back with it, again and again.
        prompt: "select_account",
      }),
    finish: async ({ state, nonce, codeVerifier }, search) => {
      const config = await configuration();
      const claims = await authorizationCodeGrant(config, new URL(`${redirectUri}${search}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      }).then(
        (tokens) => tokens.claims(),
        (error: unknown) => refuse(error),
      );
      if (!claims) throw new SignInRefused("provider-refused", "the provider sent no ID token");
      return readAccount(claims);
    },
  };
}

/** Asked for at the first sign-in and not at start: a provider that is down must not keep the service down. */
function cached(discover: () => Promise<Configuration>): () => Promise<Configuration> {
  let known: { configuration: Promise<Configuration>; until: number } | undefined;
  return () => {
    if (!known || known.until < Date.now()) {
      const configuration = discover().catch((error: unknown) => {
        // The next person tries again.
        known = undefined;
        throw new SignInRefused("provider-unavailable", `no discovery: ${reasonOf(error)}`, error);
      });
      known = { configuration, until: Date.now() + METADATA_LIFETIME_MS };
    }
    return known.configuration;
  };
}

function refuse(error: unknown): never {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const isPassing = PASSING_ERRORS.has(error.error);
    throw new SignInRefused(isPassing ? "provider-unavailable" : "provider-refused", reasonOf(error), error);
  }
  const isUnavailable = isUnreachable(error) || (error instanceof ClientError && NO_ANSWER.has(error.code ?? ""));
  throw new SignInRefused(isUnavailable ? "provider-unavailable" : "provider-refused", reasonOf(error), error);
}

/** What fetch throws; the library gives a code to its own. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && !("code" in error);
}

/** Short, and without anything a provider could have put into its answer. */
function reasonOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return `the provider answered ${error.error.slice(0, 60)}`;
  }
  if (error instanceof ClientError) return `${error.message} (${error.code ?? "no code"})`;
  return error instanceof Error ? error.message : "unknown";
}

import { generateKeyPairSync } from "node:crypto";
import { SCOPES } from "@svc/contract";
import { type Context, errors, interactionPolicy, Provider } from "oidc-provider";
import { connectProblemPage } from "../pages/connect-problem-page.ts";
import { contentSecurityPolicy, renderPage } from "../pages/layout.ts";
import type { IdentityContext } from "../context.ts";
import type { Clients } from "./find-client.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { currentRequest } from "./one-request.ts";
import { createAdapters } from "./provider-adapter.ts";
import type { ConnectorSettings } from "./settings.ts";

const ACCESS_TOKEN_SECONDS = 600;
const REFRESH_TOKEN_SECONDS = 30 * 86_400;
const CODE_SECONDS = 60;
/** A person has to sign in meanwhile, perhaps for the first time. */
const INTERACTION_SECONDS = 1_800;

export const PATHS = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  register: "/oauth/register",
  consent: "/oauth/consent",
} as const;

export const COOKIES = { session: "svc_oauth", interaction: "svc_consent", resume: "svc_consent_resume" };
export const CLIENT_AUTH_METHODS = ["none", "private_key_jwt"];
export const CLIENT_SIGNING_ALGORITHMS = ["RS256", "PS256", "ES256", "Ed25519", "EdDSA"];

interface ProviderOptions {
  context: IdentityContext;
  settings: ConnectorSettings;
  accessTokenKey: Uint8Array;
  clients: Clients;
  guardedFetch: GuardedFetch;
}

/** The protocol itself is oidc-provider's; what it may do, and with what, is all here. */
export function createProvider(options: ProviderOptions): Provider {
  const { context, settings, clients, guardedFetch } = options;
  const provider: Provider = new Provider(settings.issuer, {
    adapter: createAdapters(context, clients),
    // OAuth 2.1 has it named each time.
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: CLIENT_AUTH_METHODS,
    enabledJWA: { clientAuthSigningAlgValues: CLIENT_SIGNING_ALGORITHMS },
    clientBasedCORS: () => true,
    clientDefaults: { id_token_signed_response_alg: "Ed25519" },
    // Required to be there and never used: no ID token is made, and access tokens have the key of their resource.
    jwks: { keys: [generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })] },
    cookies: {
      keys: [context.keys.digest("connector cookie", settings.issuer).toString("hex")],
      names: COOKIES,
      long: { httpOnly: true, sameSite: "lax", signed: true },
      short: { httpOnly: true, sameSite: "lax", signed: true },
    },
    expiresWithSession: async () => false,
    extraParams: { scope: refuseUnknownScopes, state: refuseUnwritableState },
    extraTokenClaims: async (_context: Context, token: { grantId: string }) => ({
      org: currentRequest()?.orgs.get(token.grantId),
      grant_id: token.grantId,
    }),
    features: featuresOf(options),
    fetch: (url: string | URL, init: object) => guardedFetch.fetch(String(url), init),
    fetchResponseBodyLimits: { jwks_uri: 64 * 1_024 },
    findAccount: async (_context: Context, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: {
      policy: askAlways(),
      url: (_context: Context, { uid }: { uid: string }) => `${PATHS.consent}/${uid}`,
    },
    issueRefreshToken: async () => true,
    loadExistingGrant: async ({ oidc }: Context) =>
      oidc.result?.consent ? provider.Grant.find(oidc.result.consent.grantId) : undefined,
    pkce: { required: () => true },
    renderError,
    responseTypes: ["code"],
    rotateRefreshToken: true,
    routes: { authorization: PATHS.authorize, token: PATHS.token, revocation: PATHS.revoke },
    scopes: [],
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
      Grant: REFRESH_TOKEN_SECONDS,
      IdToken: CODE_SECONDS,
    },
  });
  // For X-Forwarded-Proto, which is ours: the library never sees what a caller wrote there.
  provider.proxy = true;
  return provider;
}

function featuresOf({ settings, accessTokenKey }: ProviderOptions): object {
  const { resource } = settings;
  const off = { enabled: false };
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
    revocation: {
      enabled: true,
      allowedPolicy: async (_context: Context, client: { clientId: string }, token: { clientId: string }) =>
        client.clientId === token.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_context: Context, named: string) => {
        if (named !== resource) throw new errors.InvalidTarget(`the only resource here is ${resource}`);
        return {
          scope: SCOPES.join(" "),
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
          jwt: { sign: { alg: "HS256", key: accessTokenKey } },
        };
      },
    },
  };
}

/** Whether a person needs to see anything is decided where they are known, on the way through the consent page. */
function askAlways(): object {
  const policy = interactionPolicy.base();
  policy.clear();
  const isUndecided = new interactionPolicy.Check(
    "undecided",
    "the person has to decide",
    "interaction_required",
    ({ oidc }) => !oidc.result?.consent,
  );
  policy.add(new interactionPolicy.Prompt({ name: "consent", requestable: true }, clientAsAsked, isUndecided));
  return policy;
}

/** Kept with the request, so that what the person sees is what they approve. */
async function clientAsAsked({ oidc }: Context): Promise<object> {
  return { client: await currentRequest()?.clients.get(oidc.client?.clientId ?? "") };
}

async function refuseUnknownScopes(_context: Context, scope: string | undefined): Promise<void> {
  const known: readonly string[] = SCOPES;
  if (scope?.split(" ").every((one) => known.includes(one))) return;
  throw new errors.InvalidScope(`the scopes here are ${SCOPES.join(", ")}`);
}

/** Kept until the person has decided, and Postgres takes any other character. */
async function refuseUnwritableState(_context: Context, state: string | undefined): Promise<void> {
  if (state?.includes("\0")) throw new errors.InvalidRequest("state must have no NUL character");
}

/** For a mistake that must not lead back to the agent, since it is not known to be the agent. */
function renderError(
  context: Context,
  { error, error_description }: { error: string; error_description?: string },
): void {
  context.type = "text/html; charset=utf-8";
  context.set({ "content-security-policy": contentSecurityPolicy([]), "referrer-policy": "same-origin" });
  context.body = renderPage(connectProblemPage({ kind: "refused", detail: error_description ?? error }));
}

import { listSetting, secret, urlSetting } from "@svc/platform/config";
import { z } from "zod";
import { isSafeWebUrl } from "./redirect-target.ts";

export const PROVIDER_NAMES = ["google", "microsoft"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

const TENANT = /^(?:common|organizations|consumers|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const clientId = z.string().max(500);
const clientSecret = secret(z.string().max(2_000));
const webUrl = (example: string): z.ZodType<string, string> =>
  urlSetting(["https:", "http:"], example).refine(
    (value) => !URL.canParse(value) || isWebUrl(value),
    "must use https, or http on this machine, and have no name or password in it",
  );
const isWebUrl = (value: string): boolean => URL.canParse(value) && isSafeWebUrl(new URL(value));

/** What signing in can be told. A provider is on when both its id and its secret are set; either alone or both. */
export const signInSettings = {
  GOOGLE_CLIENT_ID: clientId.optional(),
  GOOGLE_CLIENT_SECRET: clientSecret.optional(),
  GOOGLE_ISSUER: webUrl("https://accounts.google.com").default("https://accounts.google.com"),
  MICROSOFT_CLIENT_ID: clientId.optional(),
  MICROSOFT_CLIENT_SECRET: clientSecret.optional(),
  MICROSOFT_TENANT_ID: z
    .string()
    .regex(TENANT, "must be the UUID of a tenant, common, organizations or consumers")
    .toLowerCase()
    .optional(),
  /** For another cloud than the public one. There the tenant must be a UUID: the issuer of several has a gap in it. */
  MICROSOFT_ISSUER: webUrl("https://login.microsoftonline.us/<tenant>/v2.0").optional(),
  /** Where people meet this service, and where providers send them back to. */
  REDIRECT_BASE_URL: webUrl("https://app.example.com").refine(
    (value) => !isWebUrl(value) || new URL(value).href === `${new URL(value).origin}/`,
    "must be a bare address like https://app.example.com, without a path",
  ),
  /** Other places people may be sent to after signing in. Only their origins count. */
  ALLOWED_REDIRECT_BASE_URLS: listSetting(webUrl("https://console.example.com")).default([]),
};
type SignInConfig = z.infer<z.ZodObject<typeof signInSettings>>;

interface ProviderSettings {
  clientId: string;
  clientSecret: string;
  issuer: URL;
}

export interface SignInSettings {
  google: ProviderSettings | undefined;
  microsoft: (ProviderSettings & { tenantId: string }) | undefined;
  /** The origin this service is reached at. */
  baseUrl: string;
  /** That and every other that people may be sent to. */
  allowedOrigins: ReadonlySet<string>;
}

interface Issues {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

/** For `superRefine`, where settings meet: names what a provider that is half set up still lacks. */
export function refuseHalfSetProviders(config: Partial<SignInConfig>, issues: Issues): void {
  const missing = (setting: keyof SignInConfig, because: keyof SignInConfig): void =>
    issues.addIssue({ code: "custom", path: [setting], message: `is missing, though ${because} is set` });
  for (const provider of ["GOOGLE", "MICROSOFT"] as const) {
    const id = `${provider}_CLIENT_ID` as const;
    const secretName = `${provider}_CLIENT_SECRET` as const;
    if (config[id] && !config[secretName]) missing(secretName, id);
    if (config[secretName] && !config[id]) missing(id, secretName);
  }
  if (config.MICROSOFT_CLIENT_ID && !config.MICROSOFT_TENANT_ID) missing("MICROSOFT_TENANT_ID", "MICROSOFT_CLIENT_ID");
}

/** `alsoOurs`: other origins at which this service itself is reached. */
export function readSignInSettings(config: SignInConfig, alsoOurs: string[] = []): SignInSettings {
  const baseUrl = new URL(config.REDIRECT_BASE_URL).origin;
  return {
    google: providerSettings(config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET, config.GOOGLE_ISSUER),
    microsoft: microsoftSettings(config),
    baseUrl,
    allowedOrigins: new Set([
      baseUrl,
      ...alsoOurs,
      ...config.ALLOWED_REDIRECT_BASE_URLS.map((url) => new URL(url).origin),
    ]),
  };
}

function microsoftSettings(config: SignInConfig): SignInSettings["microsoft"] {
  const tenantId = config.MICROSOFT_TENANT_ID;
  if (!tenantId) return undefined;
  const issuer = config.MICROSOFT_ISSUER ?? `https://login.microsoftonline.com/${tenantId}/v2.0`;
  const provider = providerSettings(config.MICROSOFT_CLIENT_ID, config.MICROSOFT_CLIENT_SECRET, issuer);
  return provider && { ...provider, tenantId };
}

function providerSettings(
  id: string | undefined,
  secretText: string | undefined,
  issuer: string,
): ProviderSettings | undefined {
  return id && secretText ? { clientId: id, clientSecret: secretText, issuer: new URL(issuer) } : undefined;
}

import { emailSchema } from "@svc/contract";
import { isIssuerOfTenant, isTenantAllowed } from "./microsoft-tenant.ts";
import { SignInRefused } from "./refusal.ts";
import type { ProviderName } from "./settings.ts";
import { type Claims, isVouchedByGoogle, isVouchedByMicrosoft } from "./vouch-for-email.ts";

/** A person's account at a provider, as far as the provider's word about it can be trusted. */
export interface Account {
  provider: ProviderName;
  /** By this the account is known again. Never an address, which changes hands. */
  subject: string;
  address: string;
  isVouched: boolean;
  name: string | null;
}

export function readGoogleAccount(claims: Claims): Account {
  const address = addressOf(claims["email"]);
  return {
    provider: "google",
    subject: textOf(claims["sub"]) ?? refuseIncomplete("sub"),
    address,
    isVouched: isVouchedByGoogle(address, claims),
    name: nameOf(claims),
  };
}

export function readMicrosoftAccount(claims: Claims, tenantId: string): Account {
  const tid = textOf(claims["tid"])?.toLowerCase() ?? refuseIncomplete("tid");
  const oid = textOf(claims["oid"])?.toLowerCase() ?? refuseIncomplete("oid");
  if (!isTenantAllowed(tenantId, tid) || !isIssuerOfTenant(textOf(claims["iss"]) ?? refuseIncomplete("iss"), tid)) {
    throw new SignInRefused("tenant-not-allowed", `an account of tenant ${tid} is not let in by ${tenantId}`);
  }
  const address = addressOf(claims["email"] ?? claims["preferred_username"]);
  return {
    provider: "microsoft",
    // `oid` is the same for every app of a tenant and unlike in another tenant; `sub` would change with our client id.
    subject: `${tid}:${oid}`,
    address,
    isVouched: isVouchedByMicrosoft(address, { ...claims, tid }, tenantId),
    name: nameOf(claims),
  };
}

function addressOf(claim: unknown): string {
  const address = emailSchema.safeParse(claim);
  if (!address.success) throw new SignInRefused("no-address", "the account has no e-mail address");
  return address.data;
}

function nameOf(claims: Claims): string | null {
  return textOf(claims["name"])?.trim().slice(0, 200) || null;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" && claim !== "" && claim.length <= 500 ? claim : undefined;
}

function refuseIncomplete(claim: string): never {
  throw new SignInRefused("provider-refused", `the provider left out the claim ${claim}`);
}

import { domainToASCII } from "node:url";
import { isPinnedTenant } from "./microsoft-tenant.ts";

export type Claims = Record<string, unknown>;

const GOOGLE_MAIL = new Set(["gmail.com", "googlemail.com"]);

/** Lower case, in the form in which domains are stored. */
export function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf("@") + 1).toLowerCase());
}

/**
 * Google checks an address once; `email_verified` stays true when its domain changes hands. It vouches for today's
 * holder only of its own domains: those of a Workspace (`hd`) and its free mail.
 */
export function isVouchedByGoogle(address: string, claims: Claims): boolean {
  if (claims["email_verified"] !== true) return false;
  const domain = domainOf(address);
  if (GOOGLE_MAIL.has(domain)) return true;
  const hosted = claims["hd"];
  return typeof hosted === "string" && domainToASCII(hosted.toLowerCase()) === domain;
}

/**
 * Any administrator of any Microsoft tenant can write any address into an account. It counts only where the
 * operator has pinned the tenant, or where Microsoft says that it has seen the address or its domain proven.
 */
export function isVouchedByMicrosoft(address: string, claims: Claims, tenantId: string): boolean {
  if (isPinnedTenant(tenantId) && claims["tid"] === tenantId) return true;
  const proven = claims["xms_edov"];
  // `xms_edov` speaks of the claim `email`, not of a sign-in name that stands in for it.
  if (claims["email"] === address && (proven === true || proven === 1 || proven === "1")) return true;
  const verified = claims["verified_primary_email"];
  const addresses: unknown[] = Array.isArray(verified) ? verified : [verified];
  return addresses.some((entry) => typeof entry === "string" && entry.toLowerCase() === address.toLowerCase());
}

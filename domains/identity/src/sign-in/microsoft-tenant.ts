/** The tenant in which all personal Microsoft accounts live. */
export const CONSUMER_TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A tenant named by its UUID: the operator knows who administers it. */
export function isPinnedTenant(tenantId: string): boolean {
  return UUID.test(tenantId);
}

/**
 * Whether an account of a tenant may come in. The issuer of `organizations` vouches for personal accounts too, so
 * this cannot be left to the check of the issuer.
 */
export function isTenantAllowed(tenantId: string, tid: string): boolean {
  if (!UUID.test(tid)) return false;
  if (tenantId === "common") return true;
  if (tenantId === "organizations") return tid !== CONSUMER_TENANT;
  if (tenantId === "consumers") return tid === CONSUMER_TENANT;
  return tid === tenantId;
}

/** An issuer that names a tenant speaks for that tenant alone. */
export function isIssuerOfTenant(issuer: string, tid: string): boolean {
  const [, named = ""] = new URL(issuer).pathname.split("/");
  return !UUID.test(named.toLowerCase()) || named.toLowerCase() === tid;
}

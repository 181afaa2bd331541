import type { WorkerIdentity } from "./worker-identity.ts";

/** Asking twice for these has the same effect as asking once (RFC 9110, section 9.2.2). */
const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** A token may be replaced between reading and using it, so one that was refused is read anew and tried once more. */
export function fetchWithRenewal(identity: WorkerIdentity): typeof fetch {
  return async (input, init = {}) => {
    const response = await fetch(input, init);
    if (response.status !== 401 || !IDEMPOTENT.has(init.method ?? "GET")) return response;
    const headers = new Headers(init.headers);
    const renewed = `Bearer ${await identity.renew()}`;
    // The same token would be refused again.
    if (headers.get("authorization") === renewed) return response;
    headers.set("authorization", renewed);
    await response.body?.cancel();
    return fetch(input, { ...init, headers });
  };
}

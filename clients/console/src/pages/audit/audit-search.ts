import type { AuditAction } from "@svc/contract";

export interface AuditSearch {
  action?: AuditAction | undefined;
}

/** What the address says. Whether there is such an action, the service knows. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { action } = search;
  return typeof action === "string" && action.length <= 100 ? { action: action as AuditAction } : {};
}

import type { AuditAction, SourceAuditAction } from "@svc/contract";

/** Two trails: who came in and let others in, and what was done with what can be asked. */
export type Trail = "access" | "sources";

export interface AuditSearch {
  trail?: Trail | undefined;
  action?: AuditAction | SourceAuditAction | undefined;
}

/** What the address says. Whether there is such an action, the service knows. */
export function readAuditSearch({ trail, action }: Record<string, unknown>): AuditSearch {
  return {
    ...(trail === "sources" && { trail }),
    ...(typeof action === "string" && action.length <= 100 && { action: action as AuditAction }),
  };
}

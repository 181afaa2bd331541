import type { AuditAction, SourceAuditAction } from "@svc/contract";
import { useOrg } from "../../session/use-org.ts";
import { type Pages, usePages } from "../../session/use-pages.tsx";
import type { Entry } from "./action-words.ts";
import type { AuditSearch } from "./audit-search.ts";

/** The auth service keeps the one trail, the gateway the other. */
export function useTrail({ trail, action }: AuditSearch, enabled: boolean): Pages<Entry> {
  const { org, api } = useOrg();
  return usePages<Entry>(
    [org.slug, "audit", trail, action],
    (cursor) =>
      trail === "sources"
        ? api.listSourceAudit({ cursor, action: action as SourceAuditAction })
        : api.listAudit(org.slug, { cursor, action: action as AuditAction }),
    { enabled },
  );
}

import { isAtLeast } from "@svc/contract/plain";
import type { ReactNode } from "react";
import { MessageLine } from "../../components/message-line.tsx";
import { useOrg } from "../../session/use-org.ts";
import { whoMayAsk } from "./role-words.ts";
import type { SourceView } from "./source-view.ts";

/** Said before somebody tries: what keeps this source from being asked now. */
export function WhyNotAskable({ view }: { view: SourceView }): ReactNode {
  const { org } = useOrg();
  const why = reason();
  return why && <MessageLine tone="warn">{why}</MessageLine>;

  function reason(): string | undefined {
    if (!view.managed) return undefined;
    const { source, database } = view.managed;
    if (database?.status === "creating") return "The database is still being made. It can be asked once that is done.";
    if (database?.status === "deleting") return "The database is being deleted. Nobody can ask it.";
    if (!source.enabled) return "It is switched off as a data source. Nobody can ask it until it is switched on.";
    if (!source.exposed) return "It is exposed to nobody, not even to you. An admin or owner can expose it.";
    if (!isAtLeast(org.role, source.min_role)) {
      return `It is exposed to others: ${whoMayAsk(source.min_role).toLowerCase()}. Your role is ${org.role}.`;
    }
    if (!source.search_configured) return "It has no search configuration yet, so a question finds nothing to search.";
    return undefined;
  }
}

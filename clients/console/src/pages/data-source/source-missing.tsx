import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { usePermission } from "../../session/permission.ts";
import { useOrg } from "../../session/use-org.ts";

/** To who may only ask, one that is not exposed to them is the same as none. */
export function SourceMissing({ sourceId }: { sourceId: string }): ReactNode {
  const { org } = useOrg();
  const seeing = usePermission("developer", "Seeing sources that you may not ask");
  return (
    <EmptyState
      icon={SearchX}
      title={seeing.allowed ? "There is no such data source" : "There is no such data source for you"}
      action={
        <LinkButton to="/o/$org/data-sources" params={{ org: org.slug }}>
          Show all data sources
        </LinkButton>
      }
    >
      {seeing.allowed ? (
        <p>
          {org.name} has no source with the id {sourceId}. It may have been deleted for good.
        </p>
      ) : (
        <p>Either it does not exist, or it is not exposed to your role. {seeing.reason}</p>
      )}
    </EmptyState>
  );
}

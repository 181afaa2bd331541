import { Database, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { useOrg } from "../../session/use-org.ts";

/** For those who could make one. */
export function NoSource(): ReactNode {
  const { org } = useOrg();
  return (
    <EmptyState
      icon={Database}
      title="No data source yet"
      action={
        <LinkButton to="/o/$org/welcome" params={{ org: org.slug }} variant="primary">
          Set up your first source
        </LinkButton>
      }
    >
      A data source is a database that agents can search by meaning. Setting one up takes a few minutes and shows
      nothing to anyone until an admin exposes it.
    </EmptyState>
  );
}

/** For those who can only ask. */
export function NothingToAsk(): ReactNode {
  return (
    <EmptyState icon={Database} title="There is no source that you may ask yet">
      Sources appear here once an admin or owner exposes them to your role.
    </EmptyState>
  );
}

export function NoMatch({ name, onClear }: { name: string; onClear: () => void }): ReactNode {
  return (
    <EmptyState icon={SearchX} title="No source matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
      No name contains “{name}”.
    </EmptyState>
  );
}

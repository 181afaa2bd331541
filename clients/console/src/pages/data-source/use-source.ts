import { isAtLeast } from "@svc/contract/plain";
import { useOrg } from "../../session/use-org.ts";
import { useAskableSources, useDatabases, useSources } from "./queries.ts";
import { type SourceView, viewOfAskable, viewOfManaged } from "./source-view.ts";

export interface FoundSource {
  /** Undefined while it is being looked for, and where there is none. */
  view: SourceView | undefined;
  isPending: boolean;
  error: Error | null;
  retry: () => void;
}

/** One source, from the list that the person's role may see. */
export function useSource(id: string): FoundSource {
  const isManaging = isAtLeast(useOrg().org.role, "developer");
  const sources = useSources({ enabled: isManaging });
  const databases = useDatabases({ enabled: isManaging });
  const askable = useAskableSources({ enabled: !isManaging });
  const list = isManaging ? sources : askable;
  return {
    view: isManaging ? managed() : asked(),
    isPending: list.isPending,
    error: list.error,
    retry: () => void list.refetch(),
  };

  function managed(): SourceView | undefined {
    const source = sources.data?.items.find((one) => one.source_id === id || one.id === id);
    if (!source) return undefined;
    return viewOfManaged(
      source,
      databases.data?.items.find(({ name }) => name === source.database),
    );
  }

  function asked(): SourceView | undefined {
    const source = askable.data?.items.find((one) => one.id === id);
    return source && viewOfAskable(source);
  }
}

import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { Page, Panel } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useOrg } from "../../session/use-org.ts";
import { SourceChips } from "./source-chips.tsx";
import { SourceMissing } from "./source-missing.tsx";
import { SourceSkeleton } from "./source-skeleton.tsx";
import { SourceTabs } from "./source-tabs.tsx";
import { useSource } from "./use-source.ts";

const route = getRouteApi("/o/$org/data-sources/$sourceId");

export function DataSourcePage(): ReactNode {
  const { sourceId } = route.useParams();
  const { view, isPending, error, retry } = useSource(sourceId);
  if (view) {
    return (
      <Page title={view.name} description={view.description} badge={<SourceChips view={view} />} above={<BackToList />}>
        <SourceTabs view={view} />
      </Page>
    );
  }
  // What it is called is in the address already, so the title does not jump.
  const title = sourceId.replace(/^db_/, "");
  return (
    <Page
      title={title}
      description={isPending && <Skeleton className="my-1 h-3.5 w-72 max-w-full" />}
      above={<BackToList />}
    >
      {isPending ? <SourceSkeleton /> : <Panel padded={false}>{whyNot()}</Panel>}
    </Page>
  );

  function whyNot(): ReactNode {
    if (error) return <ErrorState error={error} what="this data source" onRetry={retry} />;
    return <SourceMissing sourceId={sourceId} />;
  }
}

function BackToList(): ReactNode {
  const { org } = useOrg();
  return (
    <Link
      to="/o/$org/data-sources"
      params={{ org: org.slug }}
      className="inline-flex min-h-6 items-center gap-1.5 rounded-sm hover:text-ink pointer-coarse:min-h-10"
    >
      <ArrowLeft aria-hidden size={14} />
      Data sources
    </Link>
  );
}

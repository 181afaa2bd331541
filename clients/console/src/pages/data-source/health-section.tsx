import type { DataSource, SourceHealth } from "@svc/contract";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Panel, Section } from "../../components/page.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { FindingGroups } from "./finding-groups.tsx";
import { summarizeHealth } from "./health-summary.ts";
import { useHealth } from "./queries.ts";

/** What was looked at in the database, how it is, and what to do about it. */
export function HealthSection({ source, isMade }: { source: DataSource; isMade: boolean }): ReactNode {
  const health = useHealth(source.source_id, { enabled: isMade });
  return (
    <Section
      title="Health"
      description={isMade && health.data && <Checked health={health.data} />}
      actions={
        isMade && (
          <Button icon={RotateCw} pending={health.isFetching} onClick={() => void health.refetch()}>
            Check again
          </Button>
        )
      }
    >
      <Panel padded={false}>{content()}</Panel>
    </Section>
  );

  function content(): ReactNode {
    if (!isMade) {
      return (
        <p role="status" className="flex items-center gap-2 p-4 text-sm text-muted">
          <Spinner /> The database is being made. Its health is checked once that is done.
        </p>
      );
    }
    if (health.data) return <FindingGroups findings={health.data.findings} />;
    if (health.error) {
      return <ErrorState error={health.error} what="the health" onRetry={() => void health.refetch()} />;
    }
    return <SkeletonRows rows={4} columns={1} label="Checking the health" />;
  }
}

function Checked({ health }: { health: SourceHealth }): ReactNode {
  const { tone, icon, words } = summarizeHealth(health);
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Chip tone={tone} icon={icon}>
        {words}
      </Chip>
      <span>
        Checked <RelativeTime at={health.checked_at} />
        {health.pgvector_version && `, pgvector ${health.pgvector_version}`}
      </span>
    </span>
  );
}

import { CircleCheck, Database, KeyRound, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { Chip, StatusDot, type Tone } from "../components/chip.tsx";
import { CodeBlock, InlineCode } from "../components/code-block.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { DescriptionList } from "../components/description-list.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorState } from "../components/error-state.tsx";
import { ForbiddenState } from "../components/forbidden-state.tsx";
import { LoadMore } from "../components/load-more.tsx";
import { Page, Panel, Section } from "../components/page.tsx";
import { RelativeTime } from "../components/relative-time.tsx";
import { Skeleton, SkeletonRows } from "../components/skeleton.tsx";
import { longSources, sampleErrors } from "./sample-rows.ts";
import { Specimen } from "./specimen.tsx";

const TONES: Tone[] = ["neutral", "ok", "warn", "danger", "info"];
const LONG_NAME = longSources[0]?.name ?? "";
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const COMMAND = `curl https://svc.example/api/orgs/analytical-engines/data-sources/src_01J9Z8/search \\
  --header "Authorization: Bearer $SVC_TOKEN" \\
  --json '{"query": "late deliveries", "limit": 10, "where": {"region": {"eq": "north"}, "delayed_days": {"gt": 3}}}'`;

export function MarkPatterns(): ReactNode {
  return (
    <Section title="Chips, states, times, code in a line">
      <Panel className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Chip key={tone} tone={tone}>
              {tone}
            </Chip>
          ))}
          <Chip tone="ok" icon={CircleCheck}>
            Exposed
          </Chip>
          <Chip tone="warn" icon={TriangleAlert}>
            Stale
          </Chip>
          <Chip>{LONG_NAME}</Chip>
        </div>
        <div className="flex flex-wrap gap-4">
          {TONES.map((tone) => (
            <StatusDot key={tone} tone={tone}>
              {tone}
            </StatusDot>
          ))}
        </div>
        <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          {[0, 3, 190, 60 * 50, 60 * 24 * 12, 60 * 24 * 400, -60 * 30].map((minutes) => (
            <RelativeTime key={minutes} at={minutesAgo(minutes)} />
          ))}
        </div>
        <p className="flex flex-wrap items-center gap-1 text-sm">
          The view <InlineCode>public.orders_view</InlineCode>
          <CopyButton text="public.orders_view" label="Copy the name of the view" />
        </p>
      </Panel>
    </Section>
  );
}

export function StatePatterns(): ReactNode {
  return (
    <Section title="Instead of content" description="Nothing yet, not allowed, and every error in words.">
      <div className="grid gap-4 md:grid-cols-2">
        <Specimen state="Empty">
          <Panel padded={false}>
            <EmptyState icon={Database} title="No data sources yet" action={<Button>Add data source</Button>}>
              What agents may search is listed here once it is connected.
            </EmptyState>
          </Panel>
        </Specimen>
        <Specimen state="Forbidden">
          <Panel padded={false}>
            <ForbiddenState
              permission={{ reason: "Reading the audit log needs the role admin or higher. You are a developer." }}
              who="Ada Lovelace"
            />
          </Panel>
        </Specimen>
        {Object.entries(sampleErrors).map(([state, error]) => (
          <Specimen key={state} state={`Error: ${state}`}>
            <Panel padded={false}>
              <ErrorState error={error} what="the data sources" onRetry={() => undefined} />
            </Panel>
          </Specimen>
        ))}
      </div>
    </Section>
  );
}

export function LayoutPatterns(): ReactNode {
  return (
    <Section title="Page, panel, list of facts">
      <div className="grid gap-4">
        <Specimen state="Page, long">
          <Panel padded={false}>
            <Page
              title={LONG_NAME}
              badge={<Chip tone="ok">Exposed</Chip>}
              above="Data sources"
              description="A page says in a sentence or two what is on it, and nothing that the page itself shows already."
              actions={
                <>
                  <Button>Refresh</Button>
                  <Button variant="primary">Expose source</Button>
                </>
              }
            >
              <Panel>
                <DescriptionList
                  items={[
                    { term: "Owner", description: "Ada Lovelace" },
                    { term: "View", description: <InlineCode>{LONG_NAME}</InlineCode> },
                    { term: "Last change", description: <RelativeTime at={minutesAgo(95)} /> },
                    { term: "Description", description: undefined },
                  ]}
                />
              </Panel>
            </Page>
          </Panel>
        </Specimen>
        <Specimen state="Loading">
          <Panel padded={false}>
            <SkeletonRows rows={3} columns={4} />
          </Panel>
        </Specimen>
        <Specimen state="Skeleton of a form">
          <Panel className="flex flex-col gap-3">
            <Skeleton className="h-5 w-40" />
            <Skeleton className="h-8 w-full" />
          </Panel>
        </Specimen>
        <Specimen state="Load more: more, loading, all">
          <Panel padded={false} className="divide-y divide-line">
            <LoadMore hasMore isLoading={false} onMore={() => undefined} shown={50} />
            <LoadMore hasMore isLoading onMore={() => undefined} shown={1_250} />
            <LoadMore hasMore={false} isLoading={false} onMore={() => undefined} shown={1_263} />
          </Panel>
        </Specimen>
      </div>
    </Section>
  );
}

export function CodePatterns(): ReactNode {
  return (
    <Section title="Code to copy">
      <div className="grid gap-4">
        <CodeBlock label="Command to search" language="shell" code={COMMAND} />
        <CodeBlock label="Command to search, wrapped" language="shell" code={COMMAND} wrap />
        <CodeBlock
          label="Long file"
          language="json"
          maxHeight={160}
          code={JSON.stringify({ columns: Array.from({ length: 12 }, (_item, index) => `column_${index}`) }, null, 2)}
        />
        <p className="flex items-center gap-2 text-sm text-muted">
          <KeyRound aria-hidden size={14} /> Markup in what is shown stays text:{" "}
          <InlineCode>{"<img src=x onerror=alert(1)>"}</InlineCode>
        </p>
      </div>
    </Section>
  );
}

import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { CodeBlock, InlineCode } from "../../components/code-block.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { Panel, Section } from "../../components/page.tsx";
import { SkeletonBlock } from "../../components/skeleton.tsx";
import { useOrg } from "../../session/use-org.ts";
import { useInstance } from "./queries.ts";
import { askCommand, claudeCodeCommand, svcCommands, toolCall } from "./snippets.ts";
import type { SourceView } from "./source-view.ts";
import { WhyNotAskable } from "./why-not-askable.tsx";

const QUESTION = "who handles refunds?";

/** Ways to ask exactly this source from elsewhere. */
export function ConnectTab({ view }: { view: SourceView }): ReactNode {
  const { org } = useOrg();
  const { sourceId } = view;
  return (
    <div className="flex flex-col gap-8">
      <WhyNotAskable view={view} />
      <Section
        title="From an agent"
        description="An agent that you connect sees this source in its list of data sources, and asks it as you."
      >
        <AgentSnippets sourceId={sourceId} />
      </Section>
      <Section
        title="From a script or a terminal"
        description={
          <>
            Both take an API token from <InlineCode>SVC_API_KEY</InlineCode>. It asks as you, with your role.
          </>
        }
        actions={
          <LinkButton to="/o/$org/api-tokens" params={{ org: org.slug }} icon={KeyRound}>
            Create an API token
          </LinkButton>
        }
      >
        <div className="flex flex-col gap-3">
          <CodeBlock
            label="curl, answered in YAML"
            language="sh"
            code={askCommand(location.origin, sourceId, QUESTION)}
          />
          <CodeBlock label="svc" language="sh" code={svcCommands(location.origin, sourceId, QUESTION)} />
        </div>
      </Section>
    </div>
  );
}

function AgentSnippets({ sourceId }: { sourceId: string }): ReactNode {
  const { data, error, refetch } = useInstance();
  if (error) {
    return (
      <Panel padded={false}>
        <ErrorState error={error} what="the address for agents" onRetry={() => void refetch()} />
      </Panel>
    );
  }
  if (!data) return <SkeletonBlock className="h-64" />;
  if (data.mcp_url === null) {
    return (
      <p className="max-w-[70ch] text-sm text-muted">
        This installation has no address for agents yet. Ask its operator to set MCP_RESOURCE_URL.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <CodeBlock label="MCP address, for any client" code={data.mcp_url} />
      <CodeBlock label="Claude Code" language="sh" code={claudeCodeCommand(data.mcp_url)} />
      <CodeBlock label="What the agent calls for this source" language="json" code={toolCall(sourceId, QUESTION)} />
    </div>
  );
}

import type { ReactNode } from "react";
import { CodeBlock } from "../../components/code-block.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Panel, Section } from "../../components/page.tsx";
import { SkeletonBlock } from "../../components/skeleton.tsx";
import { useInstance } from "../data-source/queries.ts";
import { claudeCodeCommand } from "../data-source/snippets.ts";

/** What to give an agent. The address is all that it needs: the rest it finds out by itself. */
export function ConnectAgent(): ReactNode {
  const instance = useInstance();
  return (
    <Section
      title="Connect an agent"
      description="Claude, ChatGPT, Cursor, VS Code and others take it as a custom connector or MCP server. They open a page where you sign in and see what you allow."
    >
      <Panel>{content()}</Panel>
    </Section>
  );

  function content(): ReactNode {
    if (instance.isPending) {
      return (
        <div className="flex flex-col gap-4">
          <SkeletonBlock className="h-21.5" />
          <SkeletonBlock className="h-21.5" />
          <SkeletonBlock className="h-56.5" />
        </div>
      );
    }
    if (instance.isError) {
      return <ErrorState error={instance.error} what="the address" onRetry={() => void instance.refetch()} />;
    }
    const { mcp_url } = instance.data;
    if (mcp_url === null) {
      return (
        <p className="text-muted">
          This installation has no address for agents yet. Its operator sets MCP_RESOURCE_URL.
        </p>
      );
    }
    return (
      <div className="flex flex-col gap-4">
        <CodeBlock label="Address for any MCP client" code={mcp_url} />
        <CodeBlock label="Claude Code" code={claudeCodeCommand(mcp_url)} />
        <CodeBlock
          label="VS Code, in .vscode/mcp.json"
          code={JSON.stringify({ servers: { svc: { type: "http", url: mcp_url } } }, undefined, 2)}
        />
      </div>
    );
  }
}

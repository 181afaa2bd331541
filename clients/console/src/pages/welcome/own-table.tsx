import type { ManagedDatabase } from "@svc/contract";
import type { ReactNode } from "react";
import { CodeBlock, InlineCode } from "../../components/code-block.tsx";
import { Spinner } from "../../components/spinner.tsx";

/** What to run, in order. The page goes on by itself once search is configured. */
export function OwnTable({ database: { name, source_id } }: { database: ManagedDatabase }): ReactNode {
  return (
    <div className="flex w-full min-w-0 flex-col gap-4">
      <p className="max-w-[70ch] text-sm text-muted">
        You need a table with a <InlineCode>vector(N)</InlineCode> column, filled by one embedding model that this
        installation knows; svc searches vectors and does not write them. Create an API token under API tokens first.
      </p>
      <CodeBlock
        label="1. Make the table and fill it"
        code={`svc login --api-url ${location.origin} --api-key <API token>\npsql "$(svc db connect ${name} -q)"\n\ncreate table notes (id bigint primary key, title text, body text, team text, embedding vector(1536));`}
      />
      <CodeBlock label="2. Say what may be found and returned" code={configurationCommand(source_id)} />
      <p role="status" className="flex items-center gap-2 text-sm text-muted">
        <Spinner /> Waiting for the search configuration
      </p>
    </div>
  );
}

function configurationCommand(sourceId: string): string {
  const configuration = {
    connection_config: {
      embedding_configs: [
        {
          label: "notes",
          table: "notes",
          columns: ["embedding"],
          model: "<model>",
          dimensions: 1536,
          content_columns: "id,title,body,team",
        },
      ],
    },
    filter_schema: { team: "string" },
  };
  return [
    `curl -X PUT ${location.origin}/api/wf/data-sources/${sourceId} \\`,
    '  -H "Authorization: Bearer <API token>" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${JSON.stringify(configuration, undefined, 2)}'`,
  ].join("\n");
}

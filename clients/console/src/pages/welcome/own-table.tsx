import type { ManagedDatabase, SearchConfiguration } from "@svc/contract";
import type { ReactNode } from "react";
import { CodeBlock, InlineCode } from "../../components/code-block.tsx";
import { Spinner } from "../../components/spinner.tsx";
import { saveConfigurationCommand } from "../data-source/snippets.ts";

const TABLE = "create table notes (id bigint primary key, title text, body text, team text, embedding vector(1536));";

/** What searches the table above. */
const CONFIGURATION: SearchConfiguration = {
  connection_config: {
    embedding_configs: [
      {
        label: "notes",
        table: "notes",
        columns: ["embedding"],
        model: "<model>",
        dimensions: 1536,
        content_columns: "id,title,body,team",
        distance_metric: "cosine",
      },
    ],
  },
  filter_schema: { team: "string" },
};

/** What to run, in order. The page goes on by itself once search is configured. */
export function OwnTable({ database: { name, source_id } }: { database: ManagedDatabase }): ReactNode {
  return (
    <div className="flex w-full min-w-0 flex-col gap-4">
      <p className="max-w-[70ch] text-sm text-muted">
        You need a table with a <InlineCode>vector(N)</InlineCode> column, filled by one embedding model that this
        installation knows; svc searches vectors and does not write them. Create an API token under API tokens first,
        and set it as <InlineCode>SVC_API_KEY</InlineCode>.
      </p>
      <CodeBlock
        label="1. Make the table and fill it"
        code={`svc login --api-url ${location.origin}\npsql "$(svc db connect ${name} -q)"\n\n${TABLE}`}
      />
      <CodeBlock
        label="2. Say what may be found and returned"
        code={saveConfigurationCommand(location.origin, source_id, CONFIGURATION)}
      />
      <p role="status" className="flex items-center gap-2 text-sm text-muted">
        <Spinner /> Waiting for the search configuration
      </p>
    </div>
  );
}

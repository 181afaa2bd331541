import type { DataSource, SearchConfiguration } from "@svc/contract";
import { Link } from "@tanstack/react-router";
import { CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { CodeBlock, InlineCode } from "../../components/code-block.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Panel, Section } from "../../components/page.tsx";
import { useOrg } from "../../session/use-org.ts";
import { Fold } from "./fold.tsx";
import { saveConfigurationCommand } from "./snippets.ts";

const TEMPLATE: SearchConfiguration = {
  connection_config: {
    embedding_configs: [
      {
        label: "handbook",
        table: "notes",
        columns: ["embedding"],
        model: "local-en",
        dimensions: 512,
        content_columns: "id, title, body",
        distance_metric: "cosine",
      },
    ],
  },
  filter_schema: { team: "string", year: "number" },
};

/** How to configure a source, or to change how it is configured. */
export function ConfigureHint({ source }: { source: DataSource }): ReactNode {
  const { connection_config, filter_schema } = source;
  if (connection_config) {
    return (
      <Fold title={<h3 className="text-sm font-medium">Change the configuration</h3>}>
        <Command source={source} configuration={{ connection_config, filter_schema }} isTemplate={false} />
      </Fold>
    );
  }
  return (
    <Section title="Search configuration">
      <Panel padded={false}>
        <EmptyState icon={CircleDashed} title="Nothing can be searched yet">
          A configuration says which tables are searched and which columns an answer holds. Until one is saved, every
          question is refused. It needs a table with a filled vector column.
        </EmptyState>
        <div className="border-t border-line p-4">
          <Command source={source} configuration={TEMPLATE} isTemplate />
        </div>
      </Panel>
    </Section>
  );
}

interface CommandProps {
  source: DataSource;
  configuration: SearchConfiguration;
  isTemplate: boolean;
}

function Command({ source, configuration, isTemplate }: CommandProps): ReactNode {
  const { org } = useOrg();
  return (
    <div className="flex flex-col gap-3 text-sm">
      <ol className="flex max-w-[70ch] list-inside list-decimal flex-col gap-1.5 text-muted">
        <li>
          <Link
            to="/o/$org/api-tokens"
            params={{ org: org.slug }}
            className="rounded-sm text-link underline underline-offset-2"
          >
            Create an API token
          </Link>{" "}
          and set it as <InlineCode>SVC_API_KEY</InlineCode>.
        </li>
        <li>
          {isTemplate
            ? "Put in your own table, columns and model: the model that filled the vectors."
            : "Change what is to be different. A save replaces everything, so keep what is to stay."}
        </li>
        <li>
          Run it. It is checked against the database first, and every mistake is listed with its place. Add{" "}
          <InlineCode>?dry_run=true</InlineCode> to the address to check and save nothing.
        </li>
      </ol>
      <CodeBlock
        label="Save the search configuration"
        language="sh"
        maxHeight={640}
        code={saveConfigurationCommand(location.origin, source.source_id, configuration)}
      />
      <p className="max-w-[70ch] text-muted">
        docs/search-configuration.md explains every key, which indexes help, and how names with odd characters are
        written.
      </p>
    </div>
  );
}

import type { DataSource } from "@svc/contract";
import type { ReactNode } from "react";
import { DescriptionList } from "../../components/description-list.tsx";
import { Panel, Section } from "../../components/page.tsx";
import { ConfigureHint } from "./configure-hint.tsx";
import { EntryPanel } from "./entry-panel.tsx";
import { FilterColumns } from "./filter-columns.tsx";
import { ModelRow } from "./model-row.tsx";

/** More are folded at first, so that what follows is not out of reach. */
const MOST_UNFOLDED = 3;

/** What a question can reach, in words. It is changed through the API, so there is nothing to press here. */
export function ConfigurationSection({ source }: { source: DataSource }): ReactNode {
  const entries = source.connection_config?.embedding_configs ?? [];
  if (entries.length === 0) return <ConfigureHint source={source} />;
  const searched =
    entries.length === 1
      ? "A question searches one table and is answered with the columns named here."
      : `A question searches ${entries.length} entries and is answered with the columns that they name.`;
  return (
    <Section title="Search configuration" description={`${searched} Nothing else ever leaves this database.`}>
      <div className="flex flex-col gap-2">
        {entries.map((entry) => (
          <EntryPanel key={entry.label} entry={entry} isOpen={entries.length <= MOST_UNFOLDED} />
        ))}
        <Panel>
          <DescriptionList
            items={[
              { term: "Can be filtered by", description: <FilterColumns filters={source.filter_schema} /> },
              {
                term: "About filters",
                description:
                  "A filter matches a value exactly. Who may ask can find out by filtering which values these columns have, even where no answer shows them.",
              },
            ]}
          />
        </Panel>
        <Panel padded={false}>
          <ModelRow source={source} />
        </Panel>
        <ConfigureHint source={source} />
      </div>
    </Section>
  );
}

import type { DataSource, ManagedDatabase } from "@svc/contract";
import type { ReactNode } from "react";
import { Panel, Section } from "../../components/page.tsx";
import { SkeletonBlock } from "../../components/skeleton.tsx";
import { ConnectionRow } from "./connection-row.tsx";
import { DeleteRow } from "./delete-row.tsx";
import { DescriptionRow } from "./description-row.tsx";
import { RotateRow } from "./rotate-row.tsx";
import { SwitchRow } from "./switch-row.tsx";

interface DatabaseSectionProps {
  source: DataSource;
  database: ManagedDatabase | undefined;
}

/** The database behind the source. What cannot be taken back comes last. */
export function DatabaseSection({ source, database }: DatabaseSectionProps): ReactNode {
  return (
    <Section title="Database" description="Agents see the description of it, and nothing else of what is here.">
      <Panel padded={false}>
        {database ? (
          <div className="divide-y divide-line">
            <DescriptionRow database={database} />
            <ConnectionRow database={database} />
            <RotateRow database={database} />
            <SwitchRow database={database} isExposed={source.exposed} />
            <DeleteRow database={database} isExposed={source.exposed} />
          </div>
        ) : (
          <div role="status" className="p-4">
            <span className="sr-only">Loading the database</span>
            <SkeletonBlock className="h-60" />
          </div>
        )}
      </Panel>
    </Section>
  );
}
